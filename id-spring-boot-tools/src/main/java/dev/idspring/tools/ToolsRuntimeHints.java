package dev.idspring.tools;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Includes in native images the SQL templates of the database functions that generate
 * ids.
 */
final class ToolsRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("dev/idspring/tools/ddl/*.sql")
			.registerPattern("dev/idspring/tools/ddl/mysql/*")
			.registerPattern("dev/idspring/tools/ddl/postgresql/*");
	}

}
