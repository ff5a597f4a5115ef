package dev.idspring.benchmarks.faults;

/**
 * The stores that the compared generators need to create ids (see {@link Peer}).
 */
public enum Store {

	/** No store. Peers without a store are measured together with those on PostgreSQL. */
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
