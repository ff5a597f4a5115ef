package dev.idspring.benchmarks.faults;

/**
 * The libraries and servers that create ids.
 */
public enum Library {

	/** This project. */
	OURS("this", "id-core", ""),

	/** CosId. */
	COSID("CosId", "cosid-core", ""),

	/** Hibernate. */
	HIBERNATE("Hibernate", "hibernate-core", ""),

	/** Spring. */
	SPRING("Spring JDBC", "spring-jdbc", ""),

	/** MyBatis-Plus. */
	MYBATIS_PLUS("MyBatis-Plus", "mybatis-plus-core", ""),

	/** ShardingSphere. */
	SHARDINGSPHERE("ShardingSphere", "shardingsphere-infra-algorithm-key-generator-snowflake", ""),

	/** tsid-creator. */
	TSID_CREATOR("tsid-creator", "tsid-creator", ""),

	/** hypersistence-tsid. */
	HYPERSISTENCE_TSID("hypersistence-tsid", "hypersistence-tsid", ""),

	/** uuid-creator. */
	UUID_CREATOR("uuid-creator", "uuid-creator", ""),

	/** PostgreSQL. */
	POSTGRESQL("PostgreSQL", "", ""),

	/** MariaDB. */
	MARIADB("MariaDB", "", ""),

	/** Valkey. */
	VALKEY("Valkey", "", "");

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
	 * Return the artifact whose version is measured, empty for a server.
	 */
	public String artifact() {
		return this.artifact;
	}

	/**
	 * Return the newest version that was found.
	 */
	public String newest() {
		return this.newest;
	}

}
