package dev.idspring.benchmarks.faults;

/**
 * The stores that the compared generators need to create ids (see {@link Peer}).
 */
public enum Store {

	/** No store. Peers without a store run in scenes with a PostgreSQL server. */
	NONE("–"),

	/** PostgreSQL. */
	POSTGRESQL("PostgreSQL"),

	/** MariaDB. */
	MARIADB("MariaDB"),

	/** Valkey. */
	VALKEY("Valkey");

	private final String title;

	Store(String title) {
		this.title = title;
	}

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

}
