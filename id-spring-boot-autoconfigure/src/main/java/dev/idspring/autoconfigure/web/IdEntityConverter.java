package dev.idspring.autoconfigure.web;

import java.lang.annotation.Annotation;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.repository.support.DefaultRepositoryInvokerFactory;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Converts between entities and the text form of their ids, for entities that have a
 * repository that is not reactive and whose id carries {@code @GeneratedId} or
 * {@link IdAsString @IdAsString}. Spring Data's own converter, which reads such an id as
 * a number, serves all other entities.
 */
final class IdEntityConverter implements ConditionalGenericConverter {

	private static final Set<ConvertiblePair> PAIRS = Set.of(new ConvertiblePair(String.class, Object.class),
			new ConvertiblePair(Object.class, String.class));

	private final SingletonSupplier<Repositories> repositories;

	private final IdFormats formats;

	/**
	 * Create a converter.
	 * @param repositories the repositories of the application, looked up when the first
	 * value is converted
	 * @param formats finds the text form of ids
	 */
	IdEntityConverter(Supplier<Repositories> repositories, IdFormats formats) {
		this.repositories = SingletonSupplier.of(repositories);
		this.formats = formats;
	}

	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return PAIRS;
	}

	@Override
	public boolean matches(TypeDescriptor source, TypeDescriptor target) {
		return (IdTextConverter.isText(source) && find(target.getType()) != null)
				|| (IdTextConverter.isText(target) && find(source.getType()) != null);
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
		if (source == null) {
			return null;
		}
		IdFormat parsed = IdTextConverter.isText(sourceType) ? find(targetType.getType()) : null;
		if (parsed != null) {
			return load(targetType.getType(), parsed.parse((String) source));
		}
		IdFormat formatted = find(sourceType.getType());
		Object id = repositories().getEntityInformationFor(sourceType.getType()).getId(source);
		return (formatted != null && id != null) ? formatted.format(id) : null;
	}

	/**
	 * A repository for a supertype may find an entity of another type.
	 */
	private @Nullable Object load(Class<?> entity, Object id) {
		return new DefaultRepositoryInvokerFactory(repositories()).getInvokerFor(entity)
			.invokeFindById(id)
			.filter(entity::isInstance)
			.orElse(null);
	}

	private @Nullable IdFormat find(Class<?> type) {
		Class<?> entity = ProxyUtils.getUserClass(type);
		PersistentProperty<?> id = isBlocking(entity) ? repositories().getPersistentEntity(entity).getIdProperty()
				: null;
		if (id == null) {
			return null;
		}
		String generator = IdFormats.generatorName(Stream.of(IdAsString.class, GeneratedId.class)
			.<Annotation>map(id::findAnnotation)
			.filter(Objects::nonNull)
			.toList());
		try {
			return (generator != null)
					? this.formats.of(generator, id.getType(), "@Id " + entity.getTypeName() + "." + id.getName())
					: null;
		}
		catch (IllegalArgumentException ex) {
			throw IdTextConverter.invalid(ex);
		}
	}

	/**
	 * Return whether there is a repository, and one that is not reactive.
	 */
	private boolean isBlocking(Class<?> entity) {
		return entity != String.class && repositories().getRepositoryInformationFor(entity)
			.filter((information) -> !information.isReactiveRepository())
			.isPresent();
	}

	private Repositories repositories() {
		return this.repositories.obtain();
	}

}
