package dev.idspring.tools;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers the templates of the functions that make ids in a database for native images.
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
