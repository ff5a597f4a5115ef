package dev.idspring.benchmarks.faults;

/**
 * The stores that peers need to create ids.
 */
public enum Store {

	/** No store. Peers without a store are measured in the PostgreSQL scenes. */
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
