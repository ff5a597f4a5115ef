package dev.idspring.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * What drivers and pools say, without what they were told in confidence. Some quote the
 * URL they were given, password and all; and what they say is shown in the log, in health
 * details and by the endpoint.
 * <p>
 * The secrets that are known are left out wherever they stand
 * ({@link DataSourceSecrets}). Others are known by what stands around them: where a JDBC
 * URL begins the rest of the message is left out, as a password may hold any character,
 * also one that seems to end the URL. Beside URLs, what is given as a user or a secret is
 * left out, and what stands before the {@code @} of a host.
 *
 * @since 0.1.0
 */
public final class DriverMessages {

	private static final String LEFT_OUT = "******";

	private static final Pattern URL = Pattern.compile("jdbc:.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final String QUOTED = "\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'";

	private static final Pattern USER = Pattern
		.compile("((?:user|username|uid)\\s*=\\s*)(?:" + QUOTED + "|[^;&,\\s)\\]}]+)", Pattern.CASE_INSENSITIVE);

	/**
	 * A secret that is not quoted may have blanks and commas: it ends where the next
	 * setting begins. MySQL only says whether there was one. HSQLDB says "unexpected
	 * token:" of SQL.
	 */
	private static final Pattern SECRET = Pattern.compile(
			"((?:" + DatabaseAddress.SECRET
					+ "[\\w.-]*(?:\\s*=|[\"']\\s*:)|(?:password|passwd|passphrase|pwd|secret)\\s*:)\\s*+)(?:" + QUOTED
					+ "|(?!(?:YES|NO)\\b)[^;&)\\]}]+?(?=[;&)\\]}]|[,\\s]++[\"']?[\\w.-]++[\"']?\\s*+[=:]|$))",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern USER_INFO = Pattern.compile("(//|[\\w.+-]+[:/])\\S+@");

	/** How far causes are followed, should they go round in a circle. */
	private static final int DEPTH = 20;

	private final DataSource dataSource;

	/**
	 * Listen to what comes from a {@code DataSource}.
	 * @param dataSource knows secrets
	 */
	public DriverMessages(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Return what an exception says.
	 * @param failure the exception, of a driver or of a pool
	 * @return its message, without what must not be shown
	 */
	public String of(Throwable failure) {
		return clean(String.valueOf(failure.getMessage()));
	}

	/**
	 * Leave out of a message what must not be shown.
	 * @param message what a driver or a pool says
	 * @return the message, without what must not be shown
	 */
	public String clean(String message) {
		return cleaner().apply(message);
	}

	/**
	 * Return what may be logged as the cause of a failure of ours.
	 * @param failure the exception, of a driver or of a pool
	 * @return the exception itself, unless it or something that led to it says too much
	 */
	public Throwable cause(Throwable failure) {
		UnaryOperator<String> cleaner = cleaner();
		return isClean(failure, cleaner, DEPTH) ? failure : new CleanedException(failure, cleaner, DEPTH);
	}

	private UnaryOperator<String> cleaner() {
		Pattern known = DataSourceSecrets.pattern(this.dataSource);
		return (message) -> {
			String cleaned = (known != null) ? known.matcher(message).replaceAll(LEFT_OUT) : message;
			cleaned = URL.matcher(cleaned).replaceFirst("jdbc:" + LEFT_OUT);
			cleaned = USER.matcher(cleaned).replaceAll("$1" + LEFT_OUT);
			cleaned = SECRET.matcher(cleaned).replaceAll("$1" + LEFT_OUT);
			return USER_INFO.matcher(cleaned).replaceAll("$1" + LEFT_OUT + "@");
		};
	}

	private static boolean isClean(@Nullable Throwable failure, UnaryOperator<String> cleaner, int depth) {
		if (failure == null || depth == 0) {
			return true;
		}
		String text = failure.toString();
		return cleaner.apply(text).equals(text) && isClean(failure.getCause(), cleaner, depth - 1)
				&& (!(failure instanceof SQLException sql) || isClean(sql.getNextException(), cleaner, depth - 1))
				&& Arrays.stream(failure.getSuppressed())
					.allMatch((suppressed) -> isClean(suppressed, cleaner, depth - 1));
	}

	/**
	 * Stands for an exception that says too much.
	 */
	private static final class CleanedException extends SQLException {

		private static final long serialVersionUID = 1L;

		private final String text;

		CleanedException(Throwable failure, UnaryOperator<String> cleaner, int depth) {
			super((failure.getMessage() != null) ? cleaner.apply(failure.getMessage()) : null,
					(failure instanceof SQLException sql) ? sql.getSQLState() : null,
					(failure instanceof SQLException sql) ? sql.getErrorCode() : 0);
			this.text = cleaner.apply(failure.toString());
			setStackTrace(failure.getStackTrace());
			if (depth > 1) {
				if (failure.getCause() != null) {
					initCause(new CleanedException(failure.getCause(), cleaner, depth - 1));
				}
				Arrays.stream(failure.getSuppressed())
					.forEach((suppressed) -> addSuppressed(new CleanedException(suppressed, cleaner, depth - 1)));
			}
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
