package dev.idspring.benchmarks.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;

import dev.idspring.benchmarks.store.CosIdContestant;

/**
 * The compared ways to create ids: libraries and servers, each in a certain
 * configuration.
 */
public enum Peer {

	/** This project's default strategy. */
	OURS_COPRIME("this, `coprime`", Store.POSTGRESQL, "coprime", Library.OURS, true),

	/** This project's counter. */
	OURS_SEQUENTIAL("this, `sequential`", Store.POSTGRESQL, "sequential", Library.OURS, true),

	/** This project's time-based ids. */
	OURS_SNOWFLAKE("this, `snowflake`", Store.POSTGRESQL, "snowflake", Library.OURS, false),

	/** CosId's chain of segments. */
	COSID_CHAIN("CosId, chain of segments of 1,000", Store.POSTGRESQL, "cosIdChain", Library.COSID, true,
			CosIdContestant.CREATE_TABLE, "insert into cosid values ('benchmarks.faults', 0, 0)"),

	/** Hibernate's default for numbers. */
	HIBERNATE_SEQUENCE("Hibernate, pooled, sequence", Store.POSTGRESQL, "hibernateSequence", Library.HIBERNATE, true,
			"create sequence hibernate increment by 50"),

	/** Hibernate's optimizer in which a sequence value is the lowest id of a block. */
	HIBERNATE_SEQUENCE_LO("Hibernate, pooled-lo, sequence", Store.POSTGRESQL, "hibernateSequenceLo", Library.HIBERNATE,
			true, "create sequence hibernate_lo increment by 50"),

	/** Spring's incrementer for a sequence. */
	SPRING_SEQUENCE("Spring's incrementer, sequence", Store.POSTGRESQL, "springSequence", Library.SPRING, true,
			"create sequence spring"),

	/** A sequence without a library. */
	POSTGRESQL_SEQUENCE("PostgreSQL's sequence", Store.POSTGRESQL, "postgresqlSequence", Library.POSTGRESQL, true,
			"create sequence plain"),

	/** MyBatis-Plus with configured node numbers. */
	MYBATIS_PLUS("MyBatis-Plus `ASSIGN_ID`, node set", Store.NONE, "mybatisPlus", Library.MYBATIS_PLUS, false),

	/** MyBatis-Plus with default settings. */
	MYBATIS_PLUS_DEFAULT("MyBatis-Plus `ASSIGN_ID`, default", Store.NONE, "mybatisPlusDefault", Library.MYBATIS_PLUS,
			false),

	/** ShardingSphere in the mode that assigns node numbers. */
	SHARDINGSPHERE("ShardingSphere snowflake, node from the cluster mode", Store.NONE, "shardingSphere",
			Library.SHARDINGSPHERE, false),

	/** ShardingSphere with default settings. */
	SHARDINGSPHERE_DEFAULT("ShardingSphere snowflake, default", Store.NONE, "shardingSphereDefault",
			Library.SHARDINGSPHERE, false),

	/** tsid-creator with configured node numbers. */
	TSID_CREATOR("tsid-creator, node set", Store.NONE, "tsidCreator", Library.TSID_CREATOR, false),

	/** tsid-creator with default settings. */
	TSID_CREATOR_DEFAULT("tsid-creator, default", Store.NONE, "tsidCreatorDefault", Library.TSID_CREATOR, false),

	/** hypersistence-tsid with configured node numbers. */
	HYPERSISTENCE_TSID("hypersistence-tsid, node set", Store.NONE, "hypersistence", Library.HYPERSISTENCE_TSID, false),

	/** hypersistence-tsid with default settings. */
	HYPERSISTENCE_TSID_DEFAULT("hypersistence-tsid, default", Store.NONE, "hypersistenceDefault",
			Library.HYPERSISTENCE_TSID, false),

	/** CosId's Snowflake, whose state is on the instance's disk. */
	COSID_SNOWFLAKE("CosId, Snowflake, machine id set, state on disk", Store.NONE, "cosIdSnowflake", Library.COSID,
			false),

	/** UUIDs of version 7. */
	UUID7("UUIDv7 of uuid-creator", Store.NONE, "uuid7", Library.UUID_CREATOR, false),

	/** This project's default strategy on MariaDB. */
	OURS_COPRIME_MARIADB("this, `coprime`", Store.MARIADB, "coprime", Library.OURS, true),

	/** This project's counter on MariaDB. */
	OURS_SEQUENTIAL_MARIADB("this, `sequential`", Store.MARIADB, "sequential", Library.OURS, true),

	/** This project's time-based ids on MariaDB. */
	OURS_SNOWFLAKE_MARIADB("this, `snowflake`", Store.MARIADB, "snowflake", Library.OURS, false),

	/** Hibernate's table generator. */
	HIBERNATE_TABLE("Hibernate, pooled, table", Store.MARIADB, "hibernateTable", Library.HIBERNATE, true,
			"create table hibernate (sequence_name varchar(255) not null primary key, next_val bigint)"),

	/** Hibernate's optimizer in which the table's value is the lowest id of a block. */
	HIBERNATE_TABLE_LO("Hibernate, pooled-lo, table", Store.MARIADB, "hibernateTableLo", Library.HIBERNATE, true,
			"create table hibernate_lo (sequence_name varchar(255) not null primary key, next_val bigint)"),

	/** Spring's incrementer for a table. */
	SPRING_TABLE("Spring's incrementer, table, cache of 1,000", Store.MARIADB, "springTable", Library.SPRING, true,
			"create table spring (value bigint not null) engine = innodb", "insert into spring values (0)"),

	/** A sequence without a library. */
	MARIADB_SEQUENCE("MariaDB's sequence", Store.MARIADB, "mariadbSequence", Library.MARIADB, true,
			"create sequence plain"),

	/** This project's default strategy on Valkey. */
	OURS_COPRIME_VALKEY("this, `coprime`", Store.VALKEY, "coprimeOnValkey", Library.OURS, true),

	/** This project's counter on Valkey. */
	OURS_SEQUENTIAL_VALKEY("this, `sequential`", Store.VALKEY, "sequentialOnValkey", Library.OURS, true),

	/** This project's time-based ids on Valkey. */
	OURS_SNOWFLAKE_VALKEY("this, `snowflake`", Store.VALKEY, "snowflakeOnValkey", Library.OURS, false),

	/** CosId's chain of segments on Valkey. */
	COSID_CHAIN_VALKEY("CosId, chain of segments of 1,000", Store.VALKEY, "cosIdChainOnValkey", Library.COSID, true),

	/** Blocks that are reserved in Valkey without a library. */
	INCRBY("`INCRBY` in blocks of 1,000", Store.VALKEY, "incrby", Library.VALKEY, true);

	private final String title;

	private final Store store;

	private final String adapterMethod;

	private final Library library;

	private final boolean isCounter;

	private final List<String> setupStatements;

	Peer(String title, Store store, String adapterMethod, Library library, boolean isCounter,
			String... setupStatements) {
		this.title = title;
		this.store = store;
		this.adapterMethod = adapterMethod;
		this.library = library;
		this.isCounter = isCounter;
		this.setupStatements = List.of(setupStatements);
	}

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return the store that the peer needs.
	 */
	public Store store() {
		return this.store;
	}

	/**
	 * Return the library.
	 */
	public Library library() {
		return this.library;
	}

	boolean isCounter() {
		return this.isCounter;
	}

	/**
	 * Return whether the peer is a generator of this project.
	 */
	public boolean isOurs() {
		return this.library == Library.OURS;
	}

	/**
	 * Return the name of the peer on the command line.
	 */
	public String option() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return the SQL statements that create the tables and sequences of the peer. The
	 * list is empty for this project, whose tables are created separately for every
	 * measurement.
	 */
	List<String> setupStatements() {
		return this.setupStatements;
	}

	/**
	 * Open the peer's generator in an instance.
	 * @param loader the class loader of the instance
	 */
	IdSource open(Instance instance, ClassLoader loader) throws Exception {
		Method method = loader.loadClass(Adapters.class.getName())
			.getDeclaredMethod(this.adapterMethod, Instance.class);
		method.setAccessible(true);
		try {
			return (IdSource) method.invoke(null, instance);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Exception cause) {
				throw cause;
			}
			throw ex;
		}
	}

}
