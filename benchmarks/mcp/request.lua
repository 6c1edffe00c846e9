-- The request of wrk, from REQUEST_PATH and REQUEST_BODY, and its results in one line.
wrk.method = "POST"
wrk.path = os.getenv("REQUEST_PATH")
wrk.body = os.getenv("REQUEST_BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %d %d %d\n", summary.requests, summary.duration, failed))
end
