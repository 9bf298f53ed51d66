-- What wrk sends for scripts/load: the bodies in the file BODIES, in turn, each thread from a place of its own; counts told as JSON at the end.
local bodies = {}
for line in io.lines(os.getenv("BODIES")) do
  bodies[#bodies + 1] = line
end
local threads, at = 0, 0

function setup(thread)
  thread:set("first", threads * 97)
  threads = threads + 1
end

function init()
  wrk.method = "POST"
  wrk.path = "/api/v2/parse-title"
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
  wrk.headers["Content-Type"] = "application/json"
  at = first
end

function request()
  at = at % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end

function done(summary, latency)
  local failed = summary.errors
  print(string.format('RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"worst":%d,"status":%d,"broken":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    failed.status, failed.connect + failed.read + failed.write + failed.timeout))
end
