package dev.idspring.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.idspring.DurationText;
import dev.idspring.store.NetworkFailure;
import org.jspecify.annotations.Nullable;

/**
 * Describes exceptions of drivers and pools. A description omits their messages, because
 * some messages contain the URL with its password. It consists of:
 * <ul>
 * <li>the network error or another reason,</li>
 * <li>the host and port, if the settings of the {@code DataSource} contain them, and</li>
 * <li>the SQLState and the vendor code, or the class of the exception if it has no valid
 * SQLState.</li>
 * </ul>
 * To preserve the driver's message, callers pass the exception as the cause of their own
 * exception.
 *
 * @since 0.1.0
 */
public final class SqlFailure {

	/** The format of a valid SQLState. Some drivers return other strings. */
	private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{1,5}");

	/** The beginning of the message of Spring's {@code AbstractRoutingDataSource}. */
	private static final String NO_TARGET = "Cannot determine target DataSource";

	private SqlFailure() {
	}

	/**
	 * Describe a failure.
	 * @param failure the exception of a driver or of a pool
	 * @return the description, which contains no secrets
	 */
	public static String describe(Throwable failure) {
		return describe(failure, null);
	}

	/**
	 * Describe a failure, and name the server of the connection.
	 * @param failure the exception of a driver or of a pool
	 * @param dataSource the DataSource of the connection, or {@code null} if unknown
	 * @return the description, which contains no secrets
	 */
	public static String describe(Throwable failure, @Nullable DataSource dataSource) {
		Optional<Throwable> routingFailure = routingFailure(failure);
		if (routingFailure.isPresent()) {
			return "the routing DataSource found no target: " + routingFailure.get().getMessage();
		}
		DataSourceSettings settings = DataSourceSettings.of(dataSource);
		SQLException reported = mostInformative(failure).orElse(null);
		SqlReason reason = (reported != null) ? SqlReason.of(reported) : SqlReason.UNKNOWN;
		Optional<NetworkFailure> network = NetworkFailure.of(failure);
		String description;
		if (network.isPresent()) {
			description = network.get().describe(settings.server().orElse(null));
		}
		else if (reason.isUninformative() && reason != SqlReason.MISSING && isPoolTimeout(failure)) {
			description = "no connection" + settings.server().map((server) -> " to " + server).orElse("")
					+ " became available"
					+ settings.timeout().map((timeout) -> " within " + DurationText.of(timeout)).orElse(" in time");
		}
		else {
			description = reason.describe((reported != null) ? reported.getErrorCode() : 0)
					+ ((reason == SqlReason.NO_CONNECTION)
							? settings.server().map((server) -> " at " + server).orElse("") : "");
		}
		return description + codes(reported, failure);
	}

	private static String codes(@Nullable SQLException reported, Throwable failure) {
		return (reported != null && hasState(reported))
				? " (SQLState " + reported.getSQLState() + ", code " + reported.getErrorCode() + ")"
				: " (" + failure.getClass().getSimpleName() + ")";
	}

	/**
	 * Return the remedy for a failure.
	 * @param failure the exception of a driver or of a pool
	 * @return the remedy as one or more sentences, empty if none is known
	 */
	public static Optional<String> remedy(Throwable failure) {
		if (routingFailure(failure).isPresent()) {
			return Optional.of("Declare a DataSource for the tables of the id store, and mark it with @IdsDataSource."
					+ " Alternatively, give the routing DataSource a default target.");
		}
		Optional<String> network = NetworkFailure.of(failure).map(NetworkFailure::remedy);
		return network.or(() -> mostInformative(failure).flatMap((sql) -> SqlReason.of(sql).remedy(sql.getErrorCode())))
			.or(() -> isPoolTimeout(failure) ? Optional
				.of("Check that the server is up, and that its host and port are correct. If so, all"
						+ " connections may have been in use: find out which code does not return them, or increase the"
						+ " size of the pool.")
					: Optional.empty());
	}

	/**
	 * Return whether the database rejected the user or the password.
	 * @param failure the exception of a driver or of a pool
	 * @return {@code true} for an SQLState of class 28
	 */
	public static boolean isAccessDenied(Throwable failure) {
		return TransactionConflicts.sqlExceptions(failure)
			.stream()
			.anyMatch((sql) -> String.valueOf(sql.getSQLState()).startsWith("28"));
	}

	/**
	 * Return whether a routing DataSource, which selects a target DataSource by a lookup
	 * key, found no target.
	 * @param failure the exception of the DataSource, or an exception that wraps it
	 * @return {@code true} for the exception of Spring's
	 * {@code AbstractRoutingDataSource}
	 */
	public static boolean isRoutingFailure(Throwable failure) {
		return routingFailure(failure).isPresent();
	}

	/**
	 * Return the most informative exception in the chain of causes. The outermost one is
	 * often less informative, because pools wrap the driver's exception.
	 */
	private static Optional<SQLException> mostInformative(Throwable failure) {
		return TransactionConflicts.sqlExceptions(failure)
			.stream()
			.filter((sql) -> hasState(sql) || SqlReason.of(sql) != SqlReason.UNKNOWN)
			// prefers the first informative exception, because false sorts first
			.min(Comparator.comparing((sql) -> SqlReason.of(sql).isUninformative()));
	}

	private static boolean hasState(SQLException failure) {
		return failure.getSQLState() != null && SQL_STATE.matcher(failure.getSQLState()).matches();
	}

	/**
	 * Return Spring's exception for a lookup key without a DataSource. Its message can be
	 * shown, because it contains only the lookup key.
	 */
	private static Optional<Throwable> routingFailure(Throwable failure) {
		return TransactionConflicts.causes(failure)
			.stream()
			.filter((cause) -> cause instanceof IllegalStateException
					&& String.valueOf(cause.getMessage()).startsWith(NO_TARGET))
			.findFirst();
	}

	/**
	 * Return whether a pool timed out while waiting for a connection.
	 */
	private static boolean isPoolTimeout(Throwable failure) {
		return TransactionConflicts.causes(failure)
			.stream()
			.anyMatch((cause) -> cause instanceof SQLTransientConnectionException
					|| cause instanceof NoSuchElementException
					|| cause.getClass().getSimpleName().equals("PoolExhaustedException"));
	}

}
