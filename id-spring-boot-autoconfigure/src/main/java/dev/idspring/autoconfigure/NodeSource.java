package dev.idspring.autoconfigure;

import java.util.Locale;

/**
 * Where the number of a node comes from.
 *
 * @since 0.1.0
 */
public enum NodeSource {

	/**
	 * A number that is free, as the store knows.
	 */
	LEASE,

	/**
	 * The number in the configuration.
	 */
	FIXED,

	/**
	 * The number at the end of the name of the host, as the pods of a StatefulSet have.
	 */
	HOSTNAME;

	/**
	 * Return the name as it is written in configuration files.
	 * @return the name in lower case
	 */
	String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
