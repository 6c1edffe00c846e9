//! Unique ids for the requests of a client.
//!
//! `rmcp` identifies a running request by its id, so of several with the same id it replies only to the first that
//! ends. The protocol does not allow a client to reuse an id, but clients that do still wait for every reply. So each
//! request gets a unique number here, and its reply the original id.

use std::collections::HashMap;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// An id that no request has, because they are counted from 1.
const NONE: RequestId = RequestId::Number(0);

/// A transport whose requests have unique ids.
pub(super) struct OwnIds<T> {
    transport: T,
    /// The client's id of every request without a reply yet, by our id.
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
                    // A cancelled request gets no reply.
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

    /// Our id of the last request with the client's id `given`.
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
