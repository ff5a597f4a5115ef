package dev.idspring.autoconfigure;

import dev.idspring.block.BlockIdGenerator;
import dev.idspring.store.InMemoryKeySpaceStore;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/**
 * Binds defaults and opens a generator of them, so that the classes for both are loaded
 * and linked beside the application's start. Spring Boot runs this on a thread of its
 * own, and not if there is one processor only.
 */
final class IdsPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		GeneratorPropertiesBinder binder = new GeneratorPropertiesBinder(new NoProperties());
		String name = GeneratorPropertiesBinder.DEFAULT_NAME;
		BlockIdGenerator.coprime(name, new TextProperties(binder, name).coprime(), new InMemoryKeySpaceStore())
			.open()
			.close();
	}

	private static final class NoProperties extends StandardEnvironment {

		@Override
		protected void customizePropertySources(MutablePropertySources sources) {
		}

	}

}
