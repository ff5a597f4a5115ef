package dev.idspring;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the setup is invalid, usually at startup. For example, a table or a
 * {@code DataSource} is missing, the database is not supported, or a setting is out of
 * range.
 *
 * @since 0.1.0
 */
public class IdSetupException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String remedy;

	private final List<String> properties;

	/**
	 * Create an exception.
	 * @param problem what is wrong, including the value and the name of the generator,
	 * property or table
	 * @param remedy what to do about the problem
	 */
	public IdSetupException(String problem, String remedy) {
		this(problem, remedy, null);
	}

	/**
	 * Create an exception with a cause.
	 * @param problem what is wrong, including the value and the name of the generator,
	 * property or table
	 * @param remedy what to do about the problem
	 * @param cause the underlying error, or {@code null}
	 */
	public IdSetupException(String problem, String remedy, @Nullable Throwable cause) {
		this(problem, remedy, List.of(), cause);
	}

	/**
	 * Create an exception that names the properties involved.
	 * @param problem what is wrong, including the value and the name of the generator,
	 * property or table
	 * @param remedy what to do about the problem
	 * @param properties the full names of the properties involved, or of groups of
	 * properties
	 * @param cause the underlying error, or {@code null}
	 */
	public IdSetupException(String problem, String remedy, List<String> properties, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
		this.properties = List.copyOf(properties);
	}

	/**
	 * Return what is wrong.
	 * @return the problem, as one or more sentences
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Return what to do about the problem.
	 * @return the remedy, as one or more sentences
	 */
	public String getRemedy() {
		return this.remedy;
	}

	/**
	 * Return the properties involved in the problem.
	 * @return the full names of properties or of groups of properties; may be empty
	 */
	public List<String> getProperties() {
		return this.properties;
	}

}
