package dev.idspring;

import org.jspecify.annotations.Nullable;

/**
 * The set-up cannot work, and was found wrong at start: a table is missing, a database
 * unknown, a {@code DataSource} absent, a setting out of range.
 *
 * @since 0.1.0
 */
public class IdSetupException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String remedy;

	/**
	 * Create an exception.
	 * @param problem what is wrong: names the generator, property or table, and the value
	 * @param remedy what to do about it
	 */
	public IdSetupException(String problem, String remedy) {
		this(problem, remedy, null);
	}

	/**
	 * Create an exception with a cause.
	 * @param problem what is wrong: names the generator, property or table, and the value
	 * @param remedy what to do about it
	 * @param cause what went wrong underneath, or {@code null}
	 */
	public IdSetupException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * Return what is wrong.
	 * @return the problem, as one or more sentences
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Return what to do about it.
	 * @return the remedy, as one or more sentences
	 */
	public String getRemedy() {
		return this.remedy;
	}

}
