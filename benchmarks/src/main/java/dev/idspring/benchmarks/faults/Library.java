package dev.idspring.benchmarks.faults;

/**
 * The libraries and servers that create ids. The newest version of a library is the
 * newest release that Maven Central or the repository of the library contained on
 * 2026-11-28.
 */
public enum Library {

	/** This project. */
	OURS("this", "id-core", "–"),

	/** CosId. */
	COSID("CosId", "cosid-core", "3.2.1"),

	/** Hibernate. */
	HIBERNATE("Hibernate", "hibernate-core", "7.4.15.Final"),

	/** Spring. */
	SPRING("Spring JDBC", "spring-jdbc", "7.0.10"),

	/** MyBatis-Plus. */
	MYBATIS_PLUS("MyBatis-Plus", "mybatis-plus-core", "3.5.17"),

	/** ShardingSphere. */
	SHARDINGSPHERE("ShardingSphere", "shardingsphere-infra-algorithm-key-generator-snowflake", "5.5.3"),

	/** tsid-creator. */
	TSID_CREATOR("tsid-creator", "tsid-creator", "5.2.6"),

	/** hypersistence-tsid. */
	HYPERSISTENCE_TSID("hypersistence-tsid", "hypersistence-tsid", "2.1.4"),

	/** uuid-creator. */
	UUID_CREATOR("uuid-creator", "uuid-creator", "6.1.1"),

	/** PostgreSQL. */
	POSTGRESQL("PostgreSQL", "", "–"),

	/** MariaDB. */
	MARIADB("MariaDB", "", "–"),

	/** Valkey. */
	VALKEY("Valkey", "", "–");

	private final String title;

	private final String artifact;

	private final String newest;

	Library(String title, String artifact, String newest) {
		this.title = title;
		this.artifact = artifact;
		this.newest = newest;
	}

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return the name of the artifact from which the report reads the measured version,
	 * or an empty string for a server.
	 */
	public String artifact() {
		return this.artifact;
	}

	/**
	 * Return the newest version that was found, or a dash if none was searched for.
	 */
	public String newest() {
		return this.newest;
	}

}
