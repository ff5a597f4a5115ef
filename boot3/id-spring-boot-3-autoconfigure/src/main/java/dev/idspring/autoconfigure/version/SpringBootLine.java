package dev.idspring.autoconfigure.version;

/**
 * The release line of Spring Boot that this starter supports. There are two starters: one
 * for Spring Boot 3.5 and one for Spring Boot 4.
 */
final class SpringBootLine {

	/** The supported versions, as written in messages. */
	static final String VERSIONS = "3.5";

	/** The major version of the supported line. */
	static final int MAJOR = 3;

	/** The lowest supported minor version. */
	static final int LOWEST_MINOR = 5;

	/** The major version that the other starter supports. */
	static final int OTHER_MAJOR = 4;

	/** The artifact id of this starter. */
	static final String STARTER = "id-spring-boot-3-starter";

	/** The artifact id of the other starter. */
	static final String OTHER_STARTER = "id-spring-boot-starter";

	private SpringBootLine() {
	}

}
