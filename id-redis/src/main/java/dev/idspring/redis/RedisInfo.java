package dev.idspring.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.redis.RedisChannel.Confirmations;

/**
 * The answer of a server to the command {@code INFO}. The stores do not use the command
 * {@code CONFIG}, because many managed services forbid it.
 *
 * @param fields the values in the answer by field name
 */
record RedisInfo(Map<String, String> fields) {

	private static final String ACCEPT_DATA_LOSS = "ids.redis.accept-data-loss";

	static RedisInfo parse(String text) {
		Map<String, String> fields = new HashMap<>();
		text.lines().filter((line) -> line.contains(":")).forEach((line) -> {
			int colon = line.indexOf(':');
			fields.put(line.substring(0, colon), line.substring(colon + 1));
		});
		return new RedisInfo(fields);
	}

	private String field(String name) {
		return this.fields.getOrDefault(name, "");
	}

	/**
	 * Return the product and its version.
	 */
	String product() {
		return field("valkey_version").isEmpty() ? "Redis " + field("redis_version")
				: "Valkey " + field("valkey_version");
	}

	/**
	 * Verify that the server is ready to accept changes.
	 */
	void verifyReady() throws RedisFailure {
		if (field("loading").equals("1")) {
			throw RedisFailure.of("the server is loading its data", null);
		}
		if (!field("role").isEmpty() && !field("role").equals("master")) {
			throw RedisFailure.of("the server is a replica, which accepts no changes", null);
		}
	}

	/**
	 * Verify that the server does not lose confirmed writes.
	 * @throws IdSetupException if the server may lose confirmed writes and the settings
	 * do not accept data loss
	 */
	void verifyDurability(RedisSettings settings) {
		List<Problem> problems = problems(settings);
		if (!problems.isEmpty() && !settings.acceptDataLoss()) {
			Problem first = problems.get(0);
			throw new IdSetupException(first.description, first.remedy,
					Stream.of(first.property, ACCEPT_DATA_LOSS).distinct().toList(), null);
		}
	}

	List<String> warnings(RedisSettings settings) {
		return problems(settings).stream().map((problem) -> problem.description + " " + problem.remedy).toList();
	}

	/**
	 * Return the confirmations that the settings require and the server can give.
	 */
	Confirmations confirmations(RedisSettings settings) {
		return hasWaitaof() ? new Confirmations(hasAppendOnlyFile() ? settings.local() : 0, settings.replicas())
				: Confirmations.NONE;
	}

	private boolean hasAppendOnlyFile() {
		return field("aof_enabled").equals("1");
	}

	/**
	 * Return whether the server supports {@code WAITAOF}, which waits until writes are on
	 * disk. This command requires Redis 7.2 or later. Valkey reports the version of Redis
	 * with which it is compatible.
	 */
	private boolean hasWaitaof() {
		String[] version = (field("redis_version") + ".0.0").split("\\D+");
		try {
			int major = Integer.parseInt(version[0]);
			return major > 7 || (major == 7 && Integer.parseInt(version[1]) >= 2);
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

	private List<Problem> problems(RedisSettings settings) {
		List<Problem> problems = new ArrayList<>();
		String orAcceptDataLoss = ", or set " + ACCEPT_DATA_LOSS + "=true to accept that ids may repeat.";
		if (!hasWaitaof()) {
			problems.add(new Problem(product() + " has no WAITAOF, so it cannot confirm that a reservation is on disk.",
					"Use Valkey, or Redis 7.2 or later" + orAcceptDataLoss, "ids.redis.local"));
		}
		if (!hasAppendOnlyFile() && settings.local() > 0) {
			problems.add(new Problem(
					"The server has no append-only file (aof_enabled in INFO is "
							+ (field("aof_enabled").isEmpty() ? "missing" : "'" + field("aof_enabled") + "'")
							+ "), but ids.redis.local=1 requires one: a restart would lose reservations.",
					"Set appendonly to yes on the server, or set ids.redis.local=0 and ids.redis.replicas=1 if a"
							+ " replica has an append-only file" + orAcceptDataLoss,
					"ids.redis.local"));
		}
		if (settings.local() + settings.replicas() == 0) {
			problems.add(new Problem("No disk confirms reservations (ids.redis.local=0, ids.redis.replicas=0).",
					"Set ids.redis.local=1" + orAcceptDataLoss, "ids.redis.local"));
		}
		String policy = field("maxmemory_policy");
		if (policy.isEmpty() || policy.startsWith("allkeys-")) {
			problems.add(new Problem(policy.isEmpty()
					? "The server does not report what it evicts when its memory is full (maxmemory_policy in INFO is"
							+ " missing)."
					: "The server may evict any key when its memory is full (maxmemory_policy is '" + policy + "').",
					"Set maxmemory-policy to noeviction or to one of volatile-*, which never evict keys without"
							+ " an expiry, and make sure that INFO reports it" + orAcceptDataLoss,
					ACCEPT_DATA_LOSS));
		}
		return problems;
	}

	private record Problem(String description, String remedy, String property) {

	}

}
