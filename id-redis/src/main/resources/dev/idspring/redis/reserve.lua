-- Reserves ordinals. The arguments are: count, highest start, definition, token, burst in microseconds or '' without a
-- fence.
local space = redis.call('HMGET', KEYS[1], 'next', 'definition', 'incarnation', 'line_time', 'line_rate',
  'line_raised_rate', 'line_raised_at', 'line_held_until')
if not space[1] or (ARGV[3] ~= '' and space[2] ~= ARGV[3]) or greater(space[1], ARGV[2]) then
  return {'retry'}
end
local paid
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
  paid = start + math.ceil(tonumber(ARGV[1]) * 1000000 / rate)
  if paid > now + tonumber(ARGV[5]) then
    return {'retry'}
  end
  -- add one because the result of the division is not exact
  paid = paid + 1
end
redis.call('HINCRBY', KEYS[1], 'next', ARGV[1])
redis.call('HSET', KEYS[1], 'reservation', ARGV[4])
if paid then
  redis.call('HSET', KEYS[1], 'line_time', string.format('%.0f', paid))
end
return {'ok', redis.call('HGET', KEYS[1], 'next'), id}
