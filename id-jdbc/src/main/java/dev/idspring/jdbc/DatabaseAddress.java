package dev.idspring.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Separates the public parts of a database address from the secret ones. Users and
 * passwords precede the host or are among the parameters. In doubt a part is secret.
 *
 * @since 0.1.0
 */
public final class DatabaseAddress {

	private static final Pattern PARAMETERS = Pattern.compile("[?;(]|[:,]\\w+=");

	private static final Pattern SCHEME = Pattern.compile("(?:[\\w+.-]+:)*+(?://)?+");

	private static final String HIDDEN = "***";

	/** Includes the modes in which MariaDB and MySQL drivers switch servers. */
	private static final Pattern AUTHORITY = Pattern.compile(
			"jdbc:[^/]*?(?<mode>\\+srv:|:(?:sequential|loadbalance|load-balance-read|replication):)?//(?<hosts>[^/?]*)",
			Pattern.CASE_INSENSITIVE);

	/** Text in parentheses or quotes belongs to one host. */
	private static final Pattern ONE_HOST = Pattern.compile("\\([^()]*\\)|'[^']*'");

	/**
	 * The longest default connect timeout of a driver: 30 seconds for MariaDB, 10 for
	 * PostgreSQL.
	 */
	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

	/** Host and port, in an address without users and parameters. */
	private static final Pattern SERVER = Pattern
		.compile("jdbc:[^/]*?(?://(?:\\*\\*\\*@)?|@)(?<server>[\\w\\-][\\w.\\-]*(?::\\d+)?(?:,[\\w.\\-]+(?::\\d+)?)*"
				+ "|\\[[\\da-fA-F:]+](?::\\d+)?)(?![\\w\\-@=]).*");

	private DatabaseAddress() {
	}

	/**
	 * Return the public part of an address.
	 * @param url the address
	 * @return the address without users, passwords and parameters
	 */
	public static String withoutCredentials(String url) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "url", url);
		Matcher parameters = PARAMETERS.matcher(url);
		boolean cut = parameters.find();
		String address = cut ? url.substring(0, parameters.start()) + parameters.group().charAt(0) + HIDDEN : url;
		int user = user(url);
		int host = url.lastIndexOf('@') + 1;
		if (user >= host - 1) {
			return address;
		}
		// a password may look like parameters, and parameters may contain an @
		return url.substring(0, user) + HIDDEN
				+ ((!cut || host <= parameters.start()) ? "@" + address.substring(host) : "");
	}

	/**
	 * Return whether the driver itself switches to another server when one fails.
	 * @param url the address
	 * @return whether it names several hosts, or a mode for several hosts
	 */
	public static boolean hasSeveralHosts(String url) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "url", url);
		Matcher authority = AUTHORITY.matcher(ONE_HOST.matcher(url).replaceAll("()"));
		return authority.lookingAt() && (authority.group("mode") != null || authority.group("hosts").contains(","));
	}

	/**
	 * Return how long a driver may wait for a server. If a driver with several hosts is
	 * interrupted while a cluster reorganises itself, it takes a healthy server for dead:
	 * MariaDB's driver then avoids it for a minute.
	 * @param url the address, or {@code null} if it is not known
	 * @param wanted how long to wait for a single server
	 * @return that or, with several hosts, at least the driver's own timeout
	 */
	public static Duration timeout(@Nullable String url, Duration wanted) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "wanted", wanted);
		boolean longer = url != null && hasSeveralHosts(url) && wanted.compareTo(CONNECT_TIMEOUT) < 0;
		return longer ? CONNECT_TIMEOUT : wanted;
	}

	/**
	 * Return host and port of a server, as they are written in an address.
	 * @param url the address
	 * @return the server or servers, empty if the address names none
	 */
	static Optional<String> server(String url) {
		Matcher server = SERVER.matcher(withoutCredentials(url));
		return server.matches() ? Optional.of(server.group("server")) : Optional.empty();
	}

	private static int user(String url) {
		Matcher scheme = SCHEME.matcher(url);
		return scheme.lookingAt() ? scheme.end() : 0;
	}

}
