package dev.idspring.autoconfigure;

/**
 * What remembers how far key spaces are reserved.
 *
 * @since 0.1.0
 */
public enum StoreType {

	/**
	 * A table in the application's database.
	 */
	JDBC,

	/**
	 * The memory of this JVM: forgets everything at shutdown, so ids repeat after a
	 * restart.
	 */
	MEMORY,

	/**
	 * Nothing, for time strategies whose nodes have numbers that are given.
	 */
	NONE

}
