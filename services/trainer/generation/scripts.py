"""Atomic steps in Redis, as Lua: several workers and trainers change the same run at the same time.

A run is a hash of its plan, stage and counters. Its jobs are numbers: a bit in `over` for each that is done or given
up, a bit in `given_up`, and small hashes that hold only jobs under way (`attempts`) or in trouble (`errors`, `remade`).
So nothing that is read again and again grows with the number of jobs.
"""

# KEYS: run. ARGV: stage after, message, stages before. A pause or a cancellation in the meantime is thus not overruled.
CHANGE_STAGE = """
local now = redis.call('HGET', KEYS[1], 'stage')
for i = 3, #ARGV do
  if ARGV[i] == now then
    redis.call('HSET', KEYS[1], 'stage', ARGV[1], 'message', ARGV[2])
    return 1
  end
end
return 0
"""

# KEYS: run, hash. ARGV: field, value. A dropped run is not created again.
WRITE = """
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
"""

# KEYS: run, over, given_up, errors, attempts, remade, strangers, epochs. ARGV: code, network.
# Returns how many jobs were done by other code; -1 if nothing has changed.
ADOPT = """
local known = redis.call('HMGET', KEYS[1], 'code', 'network', 'jobs_done', 'stage')
if not known[4] or (known[1] == ARGV[1] and known[2] == ARGV[2]) then return -1 end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8])
redis.call('HSET', KEYS[1], 'code', ARGV[1], 'network', ARGV[2], 'jobs_done', 0, 'samples_done', 0, 'jobs_retried', 0,
  'jobs_dead', 0, 'jobs_stale', 0, 'moves', 0)
return tonumber(known[3] or '0')
"""

# KEYS: run, strangers. ARGV: code of a worker, its machine, how many strangers are remembered.
# Returns the stage of the run and the code that its samples must be made by. Strangers (machines whose code differs)
# are sorted by the time of their last request.
GREET = """
local known = redis.call('HMGET', KEYS[1], 'stage', 'code')
if not known[1] then return {'', ''} end
if known[2] and known[2] ~= ARGV[1] and redis.call('ZCARD', KEYS[2]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[2], redis.call('TIME')[1], ARGV[2] .. ' (' .. ARGV[1] .. ')')
end
return {known[1], known[2] or ''}
"""

# KEYS: run, attempts. ARGV: number. Returns the number of the attempt; 0 if there is no such run.
BEGIN = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local attempt = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
redis.call('HINCRBY', KEYS[1], 'moves', 1)
if attempt == 2 then redis.call('HINCRBY', KEYS[1], 'jobs_retried', 1) end
return attempt
"""

# KEYS: run, over, given_up, errors, attempts. ARGV: number, samples, code, 1 if there was a shard of other code before.
# Returns 0 if the samples were made by other code than the run's: they do not count.
FINISH = """
local known = redis.call('HMGET', KEYS[1], 'stage', 'code')
if not known[1] then return 1 end
if known[2] and known[2] ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[5], ARGV[1])
local is_new = redis.call('SETBIT', KEYS[2], ARGV[1], 1) == 0
if redis.call('SETBIT', KEYS[3], ARGV[1], 0) == 1 then
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('HINCRBY', KEYS[1], 'jobs_dead', -1)
  is_new = true
end
if is_new then
  redis.call('HINCRBY', KEYS[1], 'jobs_done', 1)
  redis.call('HINCRBY', KEYS[1], 'samples_done', ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'jobs_stale', ARGV[4])
  redis.call('HINCRBY', KEYS[1], 'moves', 1)
end
return 1
"""

# KEYS: run, over, given_up, errors, attempts. ARGV: number, error, how many errors are kept.
GIVE_UP = """
if redis.call('EXISTS', KEYS[1]) == 0 then return end
redis.call('HDEL', KEYS[5], ARGV[1])
if redis.call('SETBIT', KEYS[2], ARGV[1], 1) == 1 then return end
redis.call('SETBIT', KEYS[3], ARGV[1], 1)
redis.call('HINCRBY', KEYS[1], 'jobs_dead', 1)
redis.call('HINCRBY', KEYS[1], 'moves', 1)
if redis.call('HLEN', KEYS[4]) < tonumber(ARGV[3]) then redis.call('HSET', KEYS[4], ARGV[1], ARGV[2]) end
"""

# KEYS: run, over, given_up, remade. ARGV: number, samples, 1 if the shard is damaged.
# Returns how often the shard was damaged.
OPEN_AGAIN = """
if redis.call('GETBIT', KEYS[2], ARGV[1]) == 1 and redis.call('GETBIT', KEYS[3], ARGV[1]) == 0 then
  redis.call('SETBIT', KEYS[2], ARGV[1], 0)
  redis.call('HINCRBY', KEYS[1], 'jobs_done', -1)
  redis.call('HINCRBY', KEYS[1], 'samples_done', -tonumber(ARGV[2]))
end
if ARGV[3] == '0' then return 0 end
return redis.call('HINCRBY', KEYS[4], ARGV[1], 1)
"""

# KEYS: run, over, given_up, errors, remade. Jobs that were given up are open again.
FORGIVE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return end
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('BITOP', 'XOR', KEYS[2], KEYS[2], KEYS[3]) end
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
redis.call('HSET', KEYS[1], 'jobs_dead', 0)
"""

# KEYS: run, over, attempts, strangers. ARGV: seconds after which a stranger is forgotten, numbers of jobs under way.
# Returns stage, jobs done, jobs given up, moves, strangers; then for each job whether it is over, and its attempts.
LOOK = """
local known = redis.call('HMGET', KEYS[1], 'stage', 'jobs_done', 'jobs_dead', 'moves')
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', redis.call('TIME')[1] - ARGV[1])
local answer = {known[1] or '', known[2] or '0', known[3] or '0', known[4] or '0', redis.call('ZCARD', KEYS[4])}
for i = 2, #ARGV do
  answer[#answer + 1] = redis.call('GETBIT', KEYS[2], ARGV[i])
  answer[#answer + 1] = tonumber(redis.call('HGET', KEYS[3], ARGV[i]) or '0')
end
return answer
"""

# KEYS: bitmap. ARGV: bit, first place, end, how many at most. Returns the places that have this bit; BITPOS passes over
# whole bytes without one.
PLACES = """
local bit, at, last, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local size, places = redis.call('STRLEN', KEYS[1]) * 8, {}
while #places < most and at < last do
  if at >= size and bit == 1 then break end
  if at >= size or redis.call('GETBIT', KEYS[1], at) == bit then
    places[#places + 1] = at
    at = at + 1
  elseif at % 8 == 0 then
    local place = redis.call('BITPOS', KEYS[1], bit, at / 8)
    at = place < 0 and size or place
  else
    at = at + 1
  end
end
return places
"""

# KEYS: the list of runs, and all that is known about one. ARGV: its id.
DROP = """
redis.call('LREM', KEYS[1], 0, ARGV[1])
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
"""
