package dev.idspring.autoconfigure.web;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.data.annotation.Id;
import org.springframework.data.core.TypeInformation;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.core.EntityInformation;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.DefaultCrudMethods;
import org.springframework.data.repository.core.support.DefaultRepositoryMetadata;
import org.springframework.data.repository.support.Repositories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link IdEntityConverter} with simulated repositories. Other tests cover the
 * lookup of entities in an application.
 */
class IdEntityConverterTests {

	private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

	private static final TypeDescriptor PARCEL = TypeDescriptor.valueOf(Parcel.class);

	@Test
	void ignoresReactiveRepositories() {
		assertThat(matches(false)).isTrue();
		assertThat(matches(true)).isFalse();
	}

	@Test
	void returnsNullForAnEntityOfAnotherType() {
		Parcel parcel = new Parcel(1L);
		assertThat(convert(parcel)).isSameAs(parcel);
		assertThat(convert("another one")).isNull();
	}

	@Test
	void convertsAnEntityWithAnIntId() {
		TypeDescriptor pet = TypeDescriptor.valueOf(Pet.class);
		Pets pets = mock(Pets.class);
		willReturn(Optional.of(new Pet(62))).given(pets).findById(62);
		run((formats) -> {
			Repositories repositories = repositories(pets, Pets.class, Pet.class, Integer.class, false);
			EntityInformation<?, ?> information = mock(EntityInformation.class);
			willReturn(information).given(repositories).getEntityInformationFor(Pet.class);
			willReturn(62).given(information).getId(any());
			IdEntityConverter converter = new IdEntityConverter(() -> repositories, formats);
			assertThat(converter.convert("000010", TEXT, pet)).isEqualTo(new Pet(62));
			assertThat(converter.convert(new Pet(62), pet, TEXT)).isEqualTo("000010");
		});
	}

	@Test
	void keyThatTheGeneratorDidNotCreateIsConvertedAsANumber() {
		Parcel old = new Parcel(60_000_000_000L);
		run((formats) -> {
			Repositories repositories = repositories(false, Optional.of(old));
			EntityInformation<?, ?> information = mock(EntityInformation.class);
			willReturn(information).given(repositories).getEntityInformationFor(Parcel.class);
			willReturn(old.id()).given(information).getId(any());
			IdEntityConverter converter = new IdEntityConverter(() -> repositories, formats);
			assertThat(converter.convert(old, PARCEL, TEXT)).isEqualTo("60000000000");
			assertThat(converter.convert("60000000000", TEXT, PARCEL)).isSameAs(old);
			for (String invalid : List.of("62", "060000000000", "+60000000000", "none")) {
				assertThatIllegalArgumentException().isThrownBy(() -> converter.convert(invalid, TEXT, PARCEL));
			}
		});
	}

	private boolean matches(boolean reactive) {
		boolean[] matches = new boolean[1];
		run((formats) -> {
			IdEntityConverter converter = new IdEntityConverter(() -> repositories(reactive, Optional.empty()),
					formats);
			matches[0] = converter.matches(TEXT, PARCEL);
			assertThat(converter.matches(PARCEL, TEXT)).isEqualTo(matches[0]);
		});
		return matches[0];
	}

	private @Nullable Object convert(Object entity) {
		Object[] converted = new Object[1];
		run((formats) -> converted[0] = new IdEntityConverter(() -> repositories(false, Optional.of(entity)), formats)
			.convert("000001", TEXT, PARCEL));
		return converted[0];
	}

	private static void run(Consumer<IdFormats> test) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
			.withPropertyValues("ids.store=memory")
			.run((context) -> test.accept(new IdFormats(() -> context.getBean(IdGenerators.class))));
	}

	private static Repositories repositories(boolean reactive, Optional<Object> entity) {
		Parcels parcels = mock(Parcels.class);
		willReturn(entity).given(parcels).findById(any());
		return repositories(parcels, Parcels.class, Parcel.class, Long.class, reactive);
	}

	private static Repositories repositories(Object repository, Class<?> type, Class<?> entity, Class<?> id,
			boolean reactive) {
		RepositoryInformation information = mock(RepositoryInformation.class);
		given(information.isReactiveRepository()).willReturn(reactive);
		given(information.getCrudMethods())
			.willReturn(new DefaultCrudMethods(DefaultRepositoryMetadata.getMetadata(type)));
		willReturn(TypeInformation.of(id)).given(information).getIdTypeInformation();
		Repositories repositories = mock(Repositories.class);
		given(repositories.hasRepositoryFor(entity)).willReturn(true);
		given(repositories.getRepositoryInformationFor(entity)).willReturn(Optional.of(information));
		given(repositories.getRepositoryFor(entity)).willReturn(Optional.of(repository));
		willReturn(new RelationalMappingContext().getRequiredPersistentEntity(entity)).given(repositories)
			.getPersistentEntity(entity);
		return repositories;
	}

	interface Parcels extends CrudRepository<Parcel, Long> {

	}

	record Parcel(@Id @IdAsString Long id) {

	}

	interface Pets extends CrudRepository<Pet, Integer> {

	}

	record Pet(@Id @GeneratedId int id) {

	}

}
