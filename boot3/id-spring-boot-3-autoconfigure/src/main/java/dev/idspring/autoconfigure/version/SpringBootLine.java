package dev.idspring.autoconfigure.version;

/**
 * The line of Spring Boot that this starter supports.
 */
final class SpringBootLine {

	/** The major version. */
	static final String MAJOR = "3";

	/** The starter for this line. */
	static final String STARTER = "id-spring-boot-3-starter";

	/** The starter for the other line. */
	static final String OTHER_STARTER = "id-spring-boot-starter";

	private SpringBootLine() {
	}

}
