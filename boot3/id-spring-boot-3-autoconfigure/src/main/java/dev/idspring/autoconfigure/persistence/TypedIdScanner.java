package dev.idspring.autoconfigure.persistence;

import java.util.List;

import dev.idspring.annotation.IdAsString;
import org.springframework.boot.autoconfigure.domain.EntityScanner;
import org.springframework.context.ApplicationContext;

/**
 * Finds typed ids, which are records that are annotated with
 * {@link IdAsString @IdAsString}.
 */
final class TypedIdScanner {

	private TypedIdScanner() {
	}

	/**
	 * Return the typed ids in the packages that Spring Boot scans for entities.
	 */
	static List<Class<?>> scan(ApplicationContext context) throws ClassNotFoundException {
		return new EntityScanner(context).scan(IdAsString.class).stream().filter(Class::isRecord).toList();
	}

}
