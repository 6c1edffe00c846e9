-- The request for wrk, and its results in one line.
wrk.method = "POST"
wrk.path = "/opentool/call"
wrk.body = '{"jsonrpc":"2.0","method":"add","params":{"a":2,"b":3},"id":"1"}'
wrk.headers["Content-Type"] = "application/json"

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(99), failed))
end
