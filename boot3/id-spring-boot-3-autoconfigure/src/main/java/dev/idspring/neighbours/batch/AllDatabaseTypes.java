package dev.idspring.neighbours.batch;

import java.util.stream.Stream;

import org.springframework.batch.item.database.support.DataFieldMaxValueIncrementerFactory;
import org.springframework.batch.support.DatabaseType;

/**
 * An incrementer factory that supports all types of databases. The starter for Spring
 * Boot 3.5 has its own copy of this class, because Spring Batch 6 has moved the types
 * that this class uses to other packages.
 */
abstract class AllDatabaseTypes implements DataFieldMaxValueIncrementerFactory {

	/**
	 * {@inheritDoc}
	 *
	 * All types of databases are supported, because the generator, not the database,
	 * supplies the ids.
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
