package dev.idspring.neighbours.batch;

import java.util.stream.Stream;

import org.springframework.batch.item.database.support.DataFieldMaxValueIncrementerFactory;
import org.springframework.batch.support.DatabaseType;

/**
 * An incrementer factory that supports all types of databases. The starter for Spring
 * Boot 3.5 has its own copy of this class, because the Java types that the class uses are
 * in different packages, depending on the version of Spring Batch.
 */
abstract class AllDatabaseTypes implements DataFieldMaxValueIncrementerFactory {

	/**
	 * {@inheritDoc}
	 *
	 * All types of databases are supported, because ids come from the generator.
	 */
	@Override
	public final boolean isSupportedIncrementerType(String databaseType) {
		return true;
	}

	@Override
	public final String[] getSupportedIncrementerTypes() {
		return Stream.of(DatabaseType.values()).map(Enum::name).toArray(String[]::new);
	}

}
