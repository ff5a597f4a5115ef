package dev.idspring.web;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.entity.IdAsString;
import dev.idspring.entity.IdLocation;
import dev.idspring.entity.IdFormat;
import dev.idspring.entity.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.repository.support.DefaultRepositoryInvokerFactory;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Converts between entities and the text form of their ids, for entities that have a
 * repository that is not reactive and whose id carries {@code @GeneratedId} or
 * {@link IdAsString @IdAsString}. Spring Data's own converter, which reads such an id as
 * a number, is left to all other entities.
 *
 * @since 0.1.0
 */
public final class IdEntityConverter implements ConditionalGenericConverter {

	private static final Set<ConvertiblePair> PAIRS = Set.of(new ConvertiblePair(String.class, Object.class),
			new ConvertiblePair(Object.class, String.class));

	private final SingletonSupplier<Repositories> repositories;

	private final IdFormats texts;

	private final ConcurrentMap<Class<?>, Optional<IdFormat>> entities = new ConcurrentHashMap<>();

	/**
	 * Create a converter.
	 * @param repositories the repositories of the application, which are looked for when
	 * the first value is converted
	 * @param texts finds the text form of what is annotated
	 */
	public IdEntityConverter(Supplier<Repositories> repositories, IdFormats texts) {
		this.repositories = SingletonSupplier.of(repositories);
		this.texts = texts;
	}

	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return PAIRS;
	}

	@Override
	public boolean matches(TypeDescriptor source, TypeDescriptor target) {
		return (isText(source) && find(target.getType()) != null) || (isText(target) && find(source.getType()) != null);
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
		if (source == null) {
			return null;
		}
		IdFormat parsed = isText(sourceType) ? find(targetType.getType()) : null;
		if (parsed != null) {
			return load(targetType.getType(), parsed.parse((String) source));
		}
		IdFormat formatted = find(sourceType.getType());
		Object id = repositories().getEntityInformationFor(sourceType.getType()).getId(source);
		return (formatted != null && id != null) ? formatted.format(id) : null;
	}

	/**
	 * A repository for a wider type may find something else of that id.
	 */
	private @Nullable Object load(Class<?> entity, Object id) {
		return new DefaultRepositoryInvokerFactory(repositories()).getInvokerFor(entity)
			.invokeFindById(id)
			.filter(entity::isInstance)
			.orElse(null);
	}

	private @Nullable IdFormat find(Class<?> type) {
		Class<?> entity = ProxyUtils.getUserClass(type);
		if (type == String.class || !isBlocking(entity)) {
			return null;
		}
		return this.entities.computeIfAbsent(entity, (key) -> Optional.ofNullable(textOf(key))).orElse(null);
	}

	/**
	 * Whether there is a repository, and one that does not answer later.
	 */
	private boolean isBlocking(Class<?> entity) {
		return repositories().getRepositoryInformationFor(entity)
			.filter((information) -> !information.isReactiveRepository())
			.isPresent();
	}

	private @Nullable IdFormat textOf(Class<?> type) {
		PersistentEntity<?, ?> entity = repositories().getPersistentEntity(type);
		PersistentProperty<?> id = entity.getIdProperty();
		if (id == null) {
			return null;
		}
		List<Annotation> annotations = annotationsOf(id);
		IdAsString annotation = annotations.stream()
			.filter(IdAsString.class::isInstance)
			.map(IdAsString.class::cast)
			.findFirst()
			.orElse(null);
		String generated = IdLocation.generatedFrom(annotations);
		String description = "@Id " + type.getTypeName() + "." + id.getName();
		try {
			if (generated != null && (annotation == null || annotation.value().isEmpty())) {
				return this.texts.ofEntity(type, generated, id.getType(), description);
			}
			return (annotation != null)
					? this.texts.of(new IdLocation(annotation, annotations, null, description), id.getType()) : null;
		}
		catch (IllegalArgumentException ex) {
			throw WebIds.invalid(ex);
		}
	}

	private static List<Annotation> annotationsOf(PersistentProperty<?> property) {
		return Stream.<@Nullable AnnotatedElement>of(property.getField(), property.getGetter(), property.getSetter())
			.filter(Objects::nonNull)
			.flatMap((element) -> Arrays.stream(element.getAnnotations()))
			.toList();
	}

	private Repositories repositories() {
		return this.repositories.obtain();
	}

	private static boolean isText(TypeDescriptor type) {
		return type.getType() == String.class;
	}

}
