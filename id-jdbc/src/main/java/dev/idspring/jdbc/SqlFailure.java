package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Describes failures of drivers and pools without their own words, as some quote the URL
 * with the password in it: what the class of the SQLState means, the SQLState and the
 * vendor's code. What the driver says is in the cause, which is logged.
 *
 * @since 0.1.0
 */
public final class SqlFailure {

	/** Drivers may put anything there. */
	private static final Pattern STATE = Pattern.compile("[0-9A-Z]{1,5}");

	/** Of MariaDB and MySQL: read-only by its settings, as a whole or in this session. */
	private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1792, 1836);

	/** Of PostgreSQL and the standard, of H2, and of Derby. */
	private static final Pattern READ_ONLY = Pattern.compile("25006|90097|2550[1-5]");

	/** Of MariaDB and MySQL. */
	private static final int UNKNOWN_DATABASE_CODE = 1049;

	private static final String UNKNOWN_DATABASE = "there is no database of this name";

	private static final String TIMEOUT = "the database did not answer in time, or ended the statement";

	private SqlFailure() {
	}

	/**
	 * Describe a failure.
	 * @param failure the exception of a driver or of a pool
	 * @return the description, which may be shown to anyone
	 */
	public static String describe(Throwable failure) {
		for (SQLException sql : TransactionConflicts.sqlExceptions(failure)) {
			String state = sql.getSQLState();
			if (state != null && STATE.matcher(state).matches()) {
				return meaning(state, sql.getErrorCode()) + " (SQLState " + state + ", code " + sql.getErrorCode()
						+ ")";
			}
		}
		return "the database or its driver failed (" + failure.getClass().getSimpleName() + ")";
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

	private static String meaning(String state, int code) {
		if (READ_ONLY.matcher(state).matches() || READ_ONLY_CODES.contains(code)) {
			return "the server is a standby that has not been promoted yet, or read-only";
		}
		if (code == UNKNOWN_DATABASE_CODE) {
			return UNKNOWN_DATABASE;
		}
		if (state.startsWith("HYT") || state.equals("HY008")) {
			return TIMEOUT;
		}
		return switch (state.substring(0, Math.min(2, state.length()))) {
			case "08" -> "there is no connection to the database";
			case "25" -> "the transaction has ended";
			case "28" -> "the database refuses the user or the password";
			case "3D" -> UNKNOWN_DATABASE;
			case "40" -> "another transaction was in the way";
			case "42" -> "a table, a column or a right is missing";
			case "53" -> "the database is short of resources";
			case "57" -> TIMEOUT;
			default -> "the database or its driver failed";
		};
	}

}
