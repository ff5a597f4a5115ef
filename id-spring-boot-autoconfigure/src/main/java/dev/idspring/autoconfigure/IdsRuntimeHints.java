package dev.idspring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * What a native image must keep: the schema scripts, which are only named by a property,
 * and the properties of the generators, which are bound by hand.
 */
final class IdsRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/idspring/jdbc/schema-*.sql");
		BindableRuntimeHintsRegistrar.forTypes(GeneratorProperties.class).registerHints(hints, classLoader);
	}

}
