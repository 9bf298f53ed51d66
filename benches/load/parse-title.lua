-- What wrk sends for scripts/load: the bodies in the file BODIES, in turn, each thread from a place of its own; counts told as JSON at the end.
-- The requests are written before the first is sent, as wrk shares the cores with what it measures.
local requests = {}
local threads, at = 0, 0

function setup(thread)
  thread:set("first", threads * 97)
  threads = threads + 1
end

function init()
  local headers = { ["Authorization"] = "Bearer " .. os.getenv("KEY"), ["Content-Type"] = "application/json" }
  for body in io.lines(os.getenv("BODIES")) do
    requests[#requests + 1] = wrk.format("POST", "/api/v2/parse-title", headers, body)
  end
  at = first
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local failed = summary.errors
  print(string.format('RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"worst":%d,"status":%d,"broken":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    failed.status, failed.connect + failed.read + failed.write + failed.timeout))
end
