-- Reserves ordinals. The arguments are: count, highest permitted start of the reservation, definition, token, burst in
-- microseconds or '' without a fence. This script begins with server.lua, which defines id, clock and greater.
local space = redis.call('HMGET', KEYS[1], 'next', 'definition', 'incarnation', 'line_time', 'line_rate',
  'line_raised_rate', 'line_raised_at', 'line_held_until')
if not space[1] or (ARGV[3] ~= '' and space[2] ~= ARGV[3]) or greater(space[1], ARGV[2]) then
  return {'retry'}
end
local line_time
if ARGV[5] ~= '' then
  if space[3] ~= id then
    return {'retry'}
  end
  -- Lua numbers represent microseconds exactly until the year 2255
  local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
  local start = tonumber(space[4])
  if now > tonumber(space[8]) and now > start then
    start = now
  end
  local rate = tonumber((now >= tonumber(space[7])) and space[6] or space[5])
  line_time = start + math.ceil(tonumber(ARGV[1]) * 1000000 / rate)
  if line_time > now + tonumber(ARGV[5]) then
    return {'retry'}
  end
  -- add one because the result of the division is not exact
  line_time = line_time + 1
end
redis.call('HINCRBY', KEYS[1], 'next', ARGV[1])
redis.call('HSET', KEYS[1], 'reservation', ARGV[4])
if line_time then
  redis.call('HSET', KEYS[1], 'line_time', string.format('%.0f', line_time))
end
return {'ok', redis.call('HGET', KEYS[1], 'next'), id}
