package dev.idspring.autoconfigure;

import java.util.Set;

import dev.idspring.block.KeySpaceStore;
import dev.idspring.gapless.GaplessStore;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.slot.SlotStore;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Makes every store wait until all scripts and migrations have run.
 */
final class KeySpaceStoreDependsOnDatabaseInitializationDetector
		extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

	@Override
	protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
		return Set.of(JdbcDatabase.class, KeySpaceStore.class, SlotStore.class, GaplessStore.class);
	}

}
