//! Ids of our own for the requests of a client.
//!
//! `rmcp` knows a request that runs by its id alone, so that of several with one id it answers the first
//! that ends, and none of the others. The protocol forbids clients to use an id twice, but those that do
//! wait for every reply. Here each request gets a number that no other has, and its reply the id back.

use std::collections::HashMap;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// The id of no request: they are counted from one.
const NONE: RequestId = RequestId::Number(0);

/// A transport whose requests have ids of their own.
pub(super) struct OwnIds<T> {
    transport: T,
    /// The id that the client gave, by ours, of every request that has no reply yet.
    given: HashMap<RequestId, RequestId>,
    requests: i64,
}

impl<T> OwnIds<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, given: HashMap::new(), requests: 0 }
    }

    fn received(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.requests += 1;
                let own = RequestId::Number(self.requests);
                let given = std::mem::replace(&mut request.id, own.clone());
                self.given.insert(own, given);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &mut notification.notification
                    && let Some(id) = &mut cancelled.params.request_id
                {
                    *id = self.newest(id).unwrap_or(NONE);
                    // It gets no reply.
                    self.given.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    fn sent(&mut self, message: &mut TxJsonRpcMessage<RoleServer>) {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&mut response.id),
            JsonRpcMessage::Error(error) => error.id.as_mut(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = id
            && let Some(given) = self.given.remove(id)
        {
            *id = given;
        }
    }

    /// Our id of the last request that has the id `given`.
    fn newest(&self, given: &RequestId) -> Option<RequestId> {
        let number = |id: &RequestId| match id {
            RequestId::Number(number) => *number,
            RequestId::String(_) => 0,
        };
        let own = self.given.iter().filter(|(_, known)| *known == given).map(|(own, _)| own);
        own.max_by_key(|own| number(own)).cloned()
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for OwnIds<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        mut message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.sent(&mut message);
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut message = self.transport.receive().await?;
        self.received(&mut message);
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
