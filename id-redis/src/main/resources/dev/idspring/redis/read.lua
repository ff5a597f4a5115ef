-- Reads a key space. The arguments are: slots to read (all, none or a number), 1 if the values must be confirmed.
-- Only writes can be confirmed, so in that case the script also writes a field.
-- The variables id and clock and the function slot are from server.lua, with which every script begins.
local exists = redis.call('EXISTS', KEYS[1]) == 1
if exists and ARGV[2] == '1' then
  redis.call('HINCRBY', KEYS[1], 'touched', 1)
end
local rows = {}
if ARGV[1] == 'all' then
  rows = redis.call('HGETALL', KEYS[2])
elseif ARGV[1] ~= 'none' then
  local row = slot(ARGV[1])
  if row then
    rows = {ARGV[1], row}
  end
end
local slot_count = redis.call('HLEN', KEYS[2]) + redis.call('HLEN', KEYS[3])
return {id, clock[1], clock[2], redis.call('HGETALL', KEYS[1]), rows, slot_count}
