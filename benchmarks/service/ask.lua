-- Asks a service about one body after another; tells latencies and errors as one line of JSON. Started by benchmarks/service alone.
local bodies, at, round = {}, 0, 0
local headers = { ["Content-Type"] = "application/json", ["Host"] = "localhost" }

function init(args)
  for line in io.lines(args[1]) do bodies[#bodies + 1] = line end
  at = math.floor(#bodies * (tonumber(args[2] or "0") or 0))
end

function request()
  at = at + 1
  if at > #bodies then at, round = 1, round + 1 end
  local body = bodies[at]
  if round > 0 then body = body:gsub('^{"id": "', '%0' .. round .. "-") end  -- an id is added once
  return wrk.format("POST", wrk.path, headers, body)
end

function done(summary, latency, _)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.3f,"p50":%.3f,"p90":%.3f,"p99":%.3f,"longest":%.3f,"bad_status":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3, e.status, e.connect + e.read + e.write + e.timeout))
end
