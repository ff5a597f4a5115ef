package dev.idspring;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the scope of the calling thread, such as its tenant. A {@link ScopedIdGenerator}
 * calls a bean of this type each time that it is used without a scope, for example to
 * draw, format, parse or describe numbers, or to set a property annotated with
 * {@code @GeneratedId}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface IdScopeResolver {

	/**
	 * Return the scope of the calling thread.
	 * @param generator the name of the generator
	 * @return the parts of the scope, or {@code null} or an empty list if there is no
	 * scope; without a scope, the call fails and draws no number
	 */
	@Nullable List<String> resolveScope(String generator);

}
