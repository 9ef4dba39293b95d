-- The load of test/bench/serving.ts and money.ts for wrk. KIND: which requests; SEED: a number that differs from run to run.
local kind, seed, count = os.getenv("KIND"), tonumber(os.getenv("SEED")), 0
math.randomseed(seed)

local function id()
  local r = math.random
  return string.format("%08x-%04x-4000-8000-%08x%04x", r(0, 0x7fffffff), r(0, 65535), r(0, 0x7fffffff), r(0, 65535))
end

local agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
local get = { ["User-Agent"] = agent }
local post = { ["User-Agent"] = agent, ["Content-Type"] = "application/json", ["Sec-Fetch-Site"] = "same-origin" }
local fixed = { cached = "/blog/crm-basics", file = "/favicon.svg", hub = "/blog" }

-- A click, an event and a search of its own each time, as browsers send them.
request = function()
  count = count + 1
  if kind == "go" then
    return wrk.format("GET", "/go/highlevel?page=trial&source=hero&click=" .. id() .. "&session=" .. id()
      .. "&from=%2Fblog%2Fcrm-basics&utm_source=newsletter&utm_medium=email&gclid=abc&session_time=35"
      .. "&entry_page=%2Fblog&journey_pages=%2Fblog+%2Fblog%2Fcrm-basics", get)
  elseif kind == "collector" then
    return wrk.format("POST", "/api/journey", post, '{"events":[{"id":"' .. id() .. '","name":"call_to_action",'
      .. '"session":"b0f9a523f0e4d6c9a523f0e4d6c9a52f","page":"/blog/crm-basics","time":' .. os.time() * 1000
      .. ',"label":"Start Free Trial","value":1,"data":{"source":"hero","partner":"highlevel"},"campaign":'
      .. '{"utm_source":"newsletter","utm_medium":"email","utm_campaign":"autumn"}}]}')
  elseif kind == "postback" then
    return wrk.format("POST", os.getenv("POSTBACK") .. "?id=" .. id() .. "&click=" .. id()
      .. "&amount=12.50&currency=USD&status=approved", get)
  elseif kind == "rendered" then
    return wrk.format("GET", "/blog?q=" .. seed .. "x" .. count, get)
  elseif kind == "article" then
    return wrk.format("GET", "/blog/article-" .. math.random(0, 9999), get)
  end
  return wrk.format("GET", fixed[kind], get)
end

done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
