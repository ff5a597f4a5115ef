package dev.idspring.autoconfigure;

import java.util.List;

import dev.idspring.IdStoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server of the id store cannot be reached at startup.
 */
final class StoreUnreachableException extends IdStoreUnavailableException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> properties;

	private final String remedy;

	/**
	 * Create an exception.
	 * @param problem what is wrong
	 * @param properties the full names of the properties that configure the address of
	 * the server
	 * @param remedy what to do about it
	 * @param cause the exception that caused the problem
	 */
	StoreUnreachableException(String problem, List<String> properties, String remedy, @Nullable Throwable cause) {
		super(problem, cause);
		this.properties = properties;
		this.remedy = remedy;
	}

	List<String> getProperties() {
		return this.properties;
	}

	String getRemedy() {
		return this.remedy;
	}

}
