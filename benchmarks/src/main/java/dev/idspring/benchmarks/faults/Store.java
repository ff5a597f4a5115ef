package dev.idspring.benchmarks.faults;

/**
 * What peers need to create ids.
 */
public enum Store {

	/** Nothing. These peers stand in the scenes of PostgreSQL. */
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
