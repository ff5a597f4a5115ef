package dev.idspring.ddl;

/**
 * Databases that can be told to make ids.
 *
 * @since 0.1.0
 */
public enum DdlPlatform {

	/**
	 * PostgreSQL, from version 12 on.
	 */
	POSTGRESQL("PostgreSQL"),

	/**
	 * MariaDB, from version 10.6 on.
	 */
	MARIADB("MariaDB"),

	/**
	 * MySQL, from version 8 on. What is generated is the same as for MariaDB, where it is
	 * tested.
	 */
	MYSQL("MySQL");

	private final String product;

	DdlPlatform(String product) {
		this.product = product;
	}

	/**
	 * Return the name of the product.
	 * @return the name, for people
	 */
	public String product() {
		return this.product;
	}

}
