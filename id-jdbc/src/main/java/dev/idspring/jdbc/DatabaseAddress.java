package dev.idspring.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.idspring.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from the address (URL) of a database, and finds the servers that the
 * address names. User names and passwords precede the host or are among the parameters.
 * Every part that might be secret is removed.
 *
 * @since 0.1.0
 */
public final class DatabaseAddress {

	private static final Pattern PARAMETERS = Pattern.compile("[?;(]|[:,]\\w+=");

	private static final Pattern SCHEME = Pattern.compile("(?:[\\w+.-]+:)*+(?://)?+");

	private static final String MASK = "***";

	/**
	 * Matches the hosts and, if there is one, a mode in which the drivers of MariaDB and
	 * MySQL switch to another server.
	 */
	private static final Pattern AUTHORITY = Pattern.compile(
			"jdbc:[^/]*?(?<mode>\\+srv:|:(?:sequential|loadbalance|load-balance-read|replication):)?//(?<hosts>[^/?]*)",
			Pattern.CASE_INSENSITIVE);

	/** Matches text in parentheses or quotes. Its commas do not separate hosts. */
	private static final Pattern ONE_HOST = Pattern.compile("\\([^()]*\\)|'[^']*'");

	/**
	 * The default connect timeout of MariaDB's driver. The default of PostgreSQL's driver
	 * is shorter: 10 seconds.
	 */
	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

	/**
	 * Matches the host and port in an address from which user names and parameters were
	 * removed.
	 */
	private static final Pattern SERVER = Pattern
		.compile("jdbc:[^/]*?(?://(?:\\*\\*\\*@)?|@)(?<server>[\\w\\-][\\w.\\-]*(?::\\d+)?(?:,[\\w.\\-]+(?::\\d+)?)*"
				+ "|\\[[\\da-fA-F:]+](?::\\d+)?)(?![\\w\\-@=]).*");

	private DatabaseAddress() {
	}

	/**
	 * Return the public part of an address.
	 * @param url the address
	 * @return the address without user names, passwords and parameters
	 */
	public static String withoutCredentials(String url) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "url", url);
		Matcher parameters = PARAMETERS.matcher(url);
		boolean isCut = parameters.find();
		String address = isCut ? url.substring(0, parameters.start()) + parameters.group().charAt(0) + MASK : url;
		int userStart = userStart(url);
		int hostStart = url.lastIndexOf('@') + 1;
		if (userStart >= hostStart - 1) {
			return address;
		}
		// an @ after the start of the parameters may end a password or belong to a
		// parameter, so mask everything after the scheme
		return url.substring(0, userStart) + MASK
				+ ((!isCut || hostStart <= parameters.start()) ? "@" + address.substring(hostStart) : "");
	}

	/**
	 * Return whether the driver switches to another server by itself when a server fails.
	 * @param url the address
	 * @return {@code true} if the address names several hosts, or a mode for several
	 * hosts
	 */
	public static boolean hasSeveralHosts(String url) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "url", url);
		Matcher authority = AUTHORITY.matcher(ONE_HOST.matcher(url).replaceAll("()"));
		return authority.lookingAt() && (authority.group("mode") != null || authority.group("hosts").contains(","));
	}

	/**
	 * Return how long a driver may wait for a server. If the driver can switch between
	 * {@linkplain #hasSeveralHosts several hosts}, the timeout must not be too short.
	 * While a cluster reorganizes itself, a driver whose call times out may consider a
	 * healthy server dead. MariaDB's driver then avoids that server for a minute.
	 * @param url the address, or {@code null} if unknown
	 * @param wanted the timeout for a single host
	 * @return {@code wanted}, but at least 30 seconds for several hosts
	 */
	public static Duration timeout(@Nullable String url, Duration wanted) {
		InvalidSettingException.requireGiven(DatabaseAddress.class, "wanted", wanted);
		boolean isTooShort = url != null && hasSeveralHosts(url) && wanted.compareTo(CONNECT_TIMEOUT) < 0;
		return isTooShort ? CONNECT_TIMEOUT : wanted;
	}

	/**
	 * Return the host and port of the server or of each server, as written in the
	 * address.
	 * @param url the address
	 * @return the server or the comma-separated servers, empty if the address names none
	 * or is ambiguous
	 */
	static Optional<String> server(String url) {
		Matcher server = SERVER.matcher(withoutCredentials(url));
		return server.matches() ? Optional.of(server.group("server")) : Optional.empty();
	}

	private static int userStart(String url) {
		Matcher scheme = SCHEME.matcher(url);
		return scheme.lookingAt() ? scheme.end() : 0;
	}

}
