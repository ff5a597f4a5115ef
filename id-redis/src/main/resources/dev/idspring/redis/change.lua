-- Applies a change if its conditions are met. The arguments are: server or '' for any server, 1 if the key space must
-- exist or 0 if it must not exist, number of conditions, conditions, writes. Each condition and each write consists of
-- kind, field and value. A missing value is treated as empty. The file server.lua, which precedes this one in the
-- script, defines id (of the server), clock and slot.
local exists = redis.call('EXISTS', KEYS[1])
if (ARGV[1] ~= '' and ARGV[1] ~= id) or tostring(exists) ~= ARGV[2] then
  return {'no'}
end
local first_write = 4 + 3 * tonumber(ARGV[3])
for i = 4, first_write - 1, 3 do
  local value
  if ARGV[i] == 'slot' then
    value = slot(ARGV[i + 1])
  else
    value = redis.call('HGET', KEYS[1], ARGV[i + 1])
  end
  if (value or '') ~= ARGV[i + 2] then
    return {'no'}
  end
end
for i = first_write, #ARGV, 3 do
  local kind, field, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if kind == 'add' then
    redis.call('HINCRBY', KEYS[1], field, value)
  elseif kind == 'set' then
    redis.call('HSET', KEYS[1], field, value)
  elseif kind == 'later' then
    -- the value is a delay in microseconds, because the caller may have read the clock some time ago
    local time = tonumber(clock[1]) * 1000000 + tonumber(clock[2]) + tonumber(value)
    redis.call('HSET', KEYS[1], field, string.format('%.0f', time))
  elseif kind == 'slot' then
    redis.call('HSET', KEYS[2], field, value)
  else -- the slot is used up
    redis.call('HDEL', KEYS[2], field)
    redis.call('HSET', KEYS[3], field, value)
  end
end
return {'ok'}
