package dev.idspring.jdbc;

import java.util.Arrays;
import java.util.Locale;

/**
 * What PostgreSQL's commits wait for, from the least to the most:
 * {@code synchronous_commit}, without {@code off}, as that waits for nothing and ids
 * would repeat after a crash.
 *
 * @since 0.1.0
 */
public enum SynchronousCommit {

	/**
	 * The disk of this server.
	 */
	LOCAL,

	/**
	 * That, and the synchronous standbys have received it.
	 */
	REMOTE_WRITE,

	/**
	 * That, and it is on their disks.
	 */
	ON,

	/**
	 * That, and it can be read there.
	 */
	REMOTE_APPLY;

	/**
	 * Return the value of the setting.
	 */
	String setting() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the name as it is written in configuration files.
	 */
	String id() {
		return setting().replace('_', '-');
	}

	/**
	 * Return a list in SQL of the values of the setting that wait for less than this one.
	 */
	String weaker() {
		StringBuilder weaker = new StringBuilder("'off'");
		Arrays.stream(values())
			.filter((other) -> other.compareTo(this) < 0)
			.forEach((other) -> weaker.append(", '").append(other.setting()).append("'"));
		return weaker.toString();
	}

}
