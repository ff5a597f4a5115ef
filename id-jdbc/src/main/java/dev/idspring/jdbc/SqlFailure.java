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
 * Describes failures of drivers and pools without quoting them, as some quote the URL
 * with its password: what the exceptions of the network, the SQLState and the vendor's
 * code mean, with host and port from the settings of the {@code DataSource}. What the
 * driver says is in the cause, which is logged. All reasons that users read are worded
 * here.
 *
 * @since 0.1.0
 */
public final class SqlFailure {

	/** Drivers may put anything there. */
	private static final Pattern STATE = Pattern.compile("[0-9A-Z]{1,5}");

	/** What {@code AbstractRoutingDataSource} says. */
	private static final String NO_TARGET = "Cannot determine target DataSource";

	private SqlFailure() {
	}

	/**
	 * Describe a failure.
	 * @param failure the exception of a driver or of a pool
	 * @return the description, which may be shown to anyone
	 */
	public static String describe(Throwable failure) {
		return describe(failure, null);
	}

	/**
	 * Describe a failure, and say where it was.
	 * @param failure the exception of a driver or of a pool
	 * @param dataSource what gave the connection or did not, or {@code null} if that is
	 * not known
	 * @return the description, which may be shown to anyone
	 */
	public static String describe(Throwable failure, @Nullable DataSource dataSource) {
		Optional<Throwable> unrouted = unrouted(failure);
		if (unrouted.isPresent()) {
			return "the DataSource that routes has none to use here: " + unrouted.get().getMessage();
		}
		DataSourceSettings settings = DataSourceSettings.of(dataSource);
		SQLException reported = reported(failure).orElse(null);
		SqlReason reason = (reported != null) ? SqlReason.of(reported) : SqlReason.UNKNOWN;
		Optional<NetworkFailure> network = NetworkFailure.of(failure);
		String description;
		if (network.isPresent()) {
			description = network.get().describe(settings.server().orElse(null));
		}
		else if (reason.tellsLittle() && reason != SqlReason.MISSING && isGivenUpByPool(failure)) {
			description = "there was no connection" + settings.server().map((server) -> " to " + server).orElse("")
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
	 * Return what to do about a failure.
	 * @param failure the exception of a driver or of a pool
	 * @return the remedy as one or more sentences, empty if there are many reasons
	 */
	public static Optional<String> remedy(Throwable failure) {
		if (unrouted(failure).isPresent()) {
			return Optional
				.of("Declare a DataSource for the tables of the id store, and mark it with @IdsDataSource. Or"
						+ " give the one that routes a default target.");
		}
		Optional<String> network = NetworkFailure.of(failure).map(NetworkFailure::remedy);
		return network
			.or(() -> reported(failure).flatMap((reported) -> SqlReason.of(reported).remedy(reported.getErrorCode())))
			.or(() -> isGivenUpByPool(failure)
					? Optional.of("Check that the server is up, and its host and port. If it is up, all connections may"
							+ " have been in use: look for what does not give them back, or allow the pool more.")
					: Optional.empty());
	}

	/**
	 * Return whether the database refused the user or the password.
	 * @param failure the exception of a driver or of a pool
	 * @return {@code true} for an SQLState of class 28
	 */
	public static boolean isAccessRefused(Throwable failure) {
		return TransactionConflicts.sqlExceptions(failure)
			.stream()
			.anyMatch((sql) -> String.valueOf(sql.getSQLState()).startsWith("28"));
	}

	/**
	 * Return whether a DataSource that routes has none to use, as there is no lookup key
	 * here, or not one that it knows.
	 * @param failure the exception of the DataSource, or one that it caused
	 * @return whether it is that of Spring's {@code AbstractRoutingDataSource}
	 */
	public static boolean isUnrouted(Throwable failure) {
		return unrouted(failure).isPresent();
	}

	/**
	 * Return the most informative exception: pools wrap it in one that says less.
	 */
	private static Optional<SQLException> reported(Throwable failure) {
		return TransactionConflicts.sqlExceptions(failure)
			.stream()
			.filter((sql) -> hasState(sql) || SqlReason.of(sql) != SqlReason.UNKNOWN)
			// the first one of those that tell as much
			.min(Comparator.comparing((sql) -> SqlReason.of(sql).tellsLittle()));
	}

	private static boolean hasState(SQLException failure) {
		return failure.getSQLState() != null && STATE.matcher(failure.getSQLState()).matches();
	}

	/**
	 * Return what Spring says of a lookup key without a DataSource, which holds nothing
	 * else.
	 */
	private static Optional<Throwable> unrouted(Throwable failure) {
		return TransactionConflicts.causes(failure)
			.stream()
			.filter((cause) -> cause instanceof IllegalStateException
					&& String.valueOf(cause.getMessage()).startsWith(NO_TARGET))
			.findFirst();
	}

	/**
	 * Return whether a pool waited for a connection for as long as it may.
	 */
	private static boolean isGivenUpByPool(Throwable failure) {
		return TransactionConflicts.causes(failure)
			.stream()
			.anyMatch((cause) -> cause instanceof SQLTransientConnectionException
					|| cause instanceof NoSuchElementException
					|| cause.getClass().getSimpleName().equals("PoolExhaustedException"));
	}

}
