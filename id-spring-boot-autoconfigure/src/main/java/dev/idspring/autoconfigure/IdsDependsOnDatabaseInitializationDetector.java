package dev.idspring.autoconfigure;

import java.util.Set;

import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.store.GaplessStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Makes every store depend on the initialization of the database, so that all scripts and
 * migrations run first.
 */
final class IdsDependsOnDatabaseInitializationDetector
		extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

	@Override
	protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
		return Set.of(JdbcDatabase.class, KeySpaceStore.class, SlotStore.class, GaplessStore.class);
	}

}
