package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What drivers say, without what they were told in confidence. Some quote the URL they
 * were given, password and all; and what they say is shown in the log, in health details
 * and by the endpoint.
 * <p>
 * Where a JDBC URL begins the rest of the message is left out, as a password may hold any
 * character, also one that seems to end the URL. Beside URLs, what is given as a user or
 * a secret is left out, and what stands before the {@code @} of a host.
 *
 * @since 0.1.0
 */
public final class DriverMessages {

	private static final String LEFT_OUT = "******";

	private static final Pattern URL = Pattern.compile("jdbc:.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern SETTING = Pattern
		.compile("((?:user|username|uid|password|passwd|pwd|passphrase|secret|token|credentials?)\\s*=\\s*)"
				+ "(?:\"[^\"]*\"|'[^']*'|[^;&,\\s)\\]}]+)", Pattern.CASE_INSENSITIVE);

	private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

	/** How far causes are followed, should they go round in a circle. */
	private static final int DEPTH = 20;

	private DriverMessages() {
	}

	/**
	 * Return what an exception says.
	 * @param failure the exception, of a driver or of a pool
	 * @return its message, without what must not be shown
	 */
	public static String of(Throwable failure) {
		return clean(failure.getMessage());
	}

	/**
	 * Leave out of a message what must not be shown.
	 */
	static String clean(@Nullable String message) {
		String cleaned = URL.matcher(String.valueOf(message)).replaceFirst("jdbc:" + LEFT_OUT);
		cleaned = SETTING.matcher(cleaned).replaceAll("$1" + LEFT_OUT);
		return USER_INFO.matcher(cleaned).replaceAll("//" + LEFT_OUT + "@");
	}

	/**
	 * Return what may be logged as the cause of a failure of ours: the exception itself,
	 * unless it or something that led to it says too much.
	 */
	static SQLException cause(SQLException failure) {
		return isClean(failure, DEPTH) ? failure : copy(failure, DEPTH);
	}

	private static boolean isClean(@Nullable Throwable failure, int depth) {
		if (failure == null || depth == 0) {
			return true;
		}
		String message = String.valueOf(failure.getMessage());
		return clean(message).equals(message) && isClean(failure.getCause(), depth - 1)
				&& Arrays.stream(failure.getSuppressed()).allMatch((suppressed) -> isClean(suppressed, depth - 1));
	}

	private static SQLException copy(Throwable failure, int depth) {
		String message = failure.getClass().getName() + ": " + of(failure);
		SQLException copy = (failure instanceof SQLException sql)
				? new SQLException(message, sql.getSQLState(), sql.getErrorCode()) : new SQLException(message);
		copy.setStackTrace(failure.getStackTrace());
		Throwable cause = failure.getCause();
		if (depth > 1) {
			if (cause != null) {
				copy.initCause(copy(cause, depth - 1));
			}
			Arrays.stream(failure.getSuppressed())
				.forEach((suppressed) -> copy.addSuppressed(copy(suppressed, depth - 1)));
		}
		return copy;
	}

}
