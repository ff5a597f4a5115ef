package dev.idspring.autoconfigure;

import dev.idspring.KeySpaceRegressionException;

/**
 * The store went backwards, as a column shows that a property names.
 */
final class ColumnRegressionException extends KeySpaceRegressionException {

	private static final long serialVersionUID = 1L;

	private final String property;

	ColumnRegressionException(String problem, String property) {
		super(problem);
		this.property = property;
	}

	String getProperty() {
		return this.property;
	}

}
