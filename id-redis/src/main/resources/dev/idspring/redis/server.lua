-- Every script begins with this file. KEYS are the key space, its slots, and its used-up slots. The file reads role,
-- master_replid (id) and clock of the server, because a connection may lead to another server after a fail-over.
local function server()
  local info = redis.call('INFO', 'replication')
  local clock = redis.call('TIME')
  return string.match(info, 'role:(%a+)'), string.match(info, 'master_replid:(%x+)') or '', clock
end

local function slot(number)
  return redis.call('HGET', KEYS[2], number) or redis.call('HGET', KEYS[3], number)
end

-- Compares two non-negative numbers as strings, because Lua numbers are exact only up to 2^53.
local function greater(one, other)
  if #one ~= #other then
    return #one > #other
  end
  return one > other
end

local role, id, clock = server()
if role ~= 'master' then
  return redis.error_reply('READONLY this server is a replica')
end
