-- Advances, renews or releases a slot if its owner, token and position are the given ones. The arguments are: number,
-- owner, token, position, new position, lease in milliseconds, new owner or '' to release the slot, new token, 1 with a
-- fence or 0 without one, clock offset in milliseconds. The file server.lua, which precedes this file, defines
-- slot, greater, id and clock.
local never = '9223372036854775807'
local space = redis.call('HMGET', KEYS[1], 'incarnation', 'next_slot')
local row = slot(ARGV[1])
if not space[2] or not row or (ARGV[9] == '1' and space[1] ~= id) then
  return {'retry'}
end
local position, slot_end, token, leased_at, lease_until, owner =
  string.match(row, '^(%d+)\n(%d+)\n([^\n]*)\n(%d+)\n(%d+)\n(.*)$')
if position ~= ARGV[4] or token ~= ARGV[3] or owner ~= ARGV[2] then
  return {'retry'}
end
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) + tonumber(ARGV[10])
local used_up = not greater(slot_end, ARGV[5])
local new_lease_until = '0'
if ARGV[7] ~= '' then
  new_lease_until = used_up and never or string.format('%.0f', now + tonumber(ARGV[6]))
end
local moved = table.concat({ARGV[5], slot_end, ARGV[8], string.format('%.0f', now), new_lease_until, ARGV[7]}, '\n')
if used_up then
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HSET', KEYS[3], ARGV[1], moved)
else
  redis.call('HSET', KEYS[2], ARGV[1], moved)
end
return {'ok', moved, string.format('%.0f', now)}
