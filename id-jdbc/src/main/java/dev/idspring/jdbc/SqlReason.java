package dev.idspring.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The meanings of SQLStates and vendor codes. A pattern matches an SQLState and a vendor
 * code, separated by a slash. The first constant that matches applies, so the constant
 * for a whole class of SQLStates comes after the constants for single SQLStates of that
 * class.
 */
enum SqlReason {

	/** Codes of H2, Derby and HSQLDB, whose databases may be files. */
	FILE_IN_USE("another process has the file of the database open", "90020/.*|XSDB6/.*|S1000/-451",
			"Stop the other process, which may be another instance of this application. If both must run, let them"
					+ " share the database: with H2 add ;AUTO_SERVER=TRUE to the URL in both, or run a database"
					+ " server."),

	/** Codes of the SQL standard (and PostgreSQL), H2, Derby, MariaDB and MySQL. */
	READ_ONLY("the server is read-only, or a standby that has not been promoted yet",
			"(25006|90097|2550[1-5])/.*|.*/(1290|1792|1836)", null),

	/** A code that MySQL's driver also uses for illegal arguments. */
	READ_ONLY_CONNECTION("the driver has made the connection read-only, as it does on every host after the first"
			+ " in the URL: add failOverReadOnly=false to the URL", "S1009/.*", null),

	/** Codes of the SQL standard, H2, Derby, MariaDB, MySQL and HSQLDB. */
	UNKNOWN_DATABASE("there is no database with this name", "(3D...|90013|90146|XJ004)/.*|.*/1049|S1000/-465",
			"Create the database, or correct its name in the address."),

	/** Codes of the SQL standard and H2. */
	UNKNOWN_SCHEMA("there is no schema with this name, or none is selected", "(3F...|90079)/.*", null),

	/** Codes of H2, PostgreSQL, Db2, MariaDB and MySQL. */
	STATEMENT_TIMEOUT("the statement took longer than allowed", "57014/.*|.*/(1969|3024)", null),

	/**
	 * Codes of the SQL standard, and of lock timeouts in PostgreSQL, MariaDB, MySQL and
	 * H2.
	 */
	CONFLICT("another transaction conflicted with this one", "(40...|55P03)/.*|.*/(1205|50200)", null),

	/** Codes of PostgreSQL, H2, MariaDB and MySQL. */
	SHUTTING_DOWN("the server is starting, or shutting down", "(57P0[1-3]|90098|90121)/.*|.*/1053",
			"Wait until the server is up."),

	/** Codes of PostgreSQL, MariaDB and MySQL. */
	NO_RESOURCES("the database is short of resources", "53.../.*|.*/(1040|1203)",
			"Let the server accept more connections, or reduce the size of the connection pools."),

	TIMEOUT("the database did not answer in time, or ended the statement", "(HYT..|HY008|57...)/.*", null),

	REJECTED("the database rejects the user or the password", "28.../.*", null),

	TRANSACTION_ENDED("the transaction has ended", "25.../.*", null),

	/** The driver of MariaDB uses a code of -1 for its own failures. */
	MISSING("a table, a column or a right is missing", "42.../(?!-1$).*", null),

	NO_CONNECTION("there is no connection to the database", "(08...|90067)/.*", null),

	UNKNOWN("the database or its driver failed", ".*", null);

	/**
	 * The settings that limit the duration of statements. The keys are the vendor codes
	 * of the resulting failures.
	 */
	private static final Map<Integer, String> LIMIT_SETTINGS = Map.of(1969, "max_statement_time", 3024,
			"max_execution_time", 57014, "QUERY_TIMEOUT", 0, "statement_timeout");

	private static final Pattern MENTIONS_READ_ONLY = Pattern.compile("(?i)\\bconnection is read-only\\b");

	private final String description;

	private final Pattern codes;

	private final Optional<String> remedy;

	SqlReason(String description, String codes, @Nullable String remedy) {
		this.description = description;
		this.codes = Pattern.compile(codes);
		this.remedy = Optional.ofNullable(remedy);
	}

	static SqlReason of(SQLException failure) {
		String codes = failure.getSQLState() + "/" + failure.getErrorCode();
		SqlReason known = Arrays.stream(values())
			.filter((reason) -> reason.codes.matcher(codes).matches())
			.findFirst()
			.orElse(UNKNOWN);
		if (known == READ_ONLY_CONNECTION && !MENTIONS_READ_ONLY.matcher(String.valueOf(failure.getMessage())).find()) {
			return UNKNOWN;
		}
		return (known == UNKNOWN && failure instanceof SQLTimeoutException) ? TIMEOUT : known;
	}

	/**
	 * Return whether another exception in the chain of causes may be more informative.
	 */
	boolean isUninformative() {
		return this == UNKNOWN || this == NO_CONNECTION || this == MISSING;
	}

	/**
	 * Describe the reason.
	 * @param code the vendor code
	 */
	String describe(int code) {
		return (this != STATEMENT_TIMEOUT) ? this.description
				: this.description + " by " + limit(code) + " or by the caller's timeout";
	}

	/**
	 * Return the remedy, empty if none is known.
	 * @param code the vendor code
	 */
	Optional<String> remedy(int code) {
		return (this != STATEMENT_TIMEOUT) ? this.remedy
				: Optional.of("Find out what blocks the tables of the id store. If nothing does, allow statements more"
						+ " time: raise " + limit(code) + ", or ids.block.wait-timeout.");
	}

	private static String limit(int code) {
		String setting = LIMIT_SETTINGS.get(code);
		return (setting != null) ? setting + " of the database" : "a limit of the database";
	}

}
