"""The fields that can be imported, and the column names they go with.

There is one table for each noun. A column is recognized by its name in Spanish or English, regardless of case, accents,
blanks and punctuation. In Spanish the main word comes first (*precio unitario neto*), in English last (*net unit
price*). So a column whose name begins or ends like that counts as well, if no other column has the exact name.
"""

from application.imports.reading.fields import Field, FieldSet, Kind, Noun

_TEXT, _CODE, _NUMBER, _DAY = Kind.TEXT, Kind.CODE, Kind.NUMBER, Kind.DAY

_BIRTH_DATE = Field(
    "date_of_birth",
    Kind.BIRTHDAY,
    "fecha de nacimiento, nacimiento, f nacimiento, fn, nacido",
    "date of birth, birth date, birthdate, dob, born, birthday",
)
_RECORD = Field(
    "record_number",
    _CODE,
    "expediente, numero de expediente, expediente clinico, historia clinica, numero de historia clinica, historia, "
    "nhc, numero de historia, hc, registro, numero de registro, id paciente, codigo de paciente, numero de paciente, "
    "cedula, dni, curp, rut, identificacion, documento, numero de documento",
    "record number, record no, mrn, medical record number, medical record, patient id, patient number, patient no, "
    "patient code, chart number, chart no",
    last="id",
)
_FULL_NAME = Field(
    "full_name",
    _TEXT,
    "nombre completo, paciente, nombre del paciente, apellidos y nombres, apellidos y nombre, nombre y apellidos, "
    "nombres y apellidos",
    "full name, patient, patient name, patient full name",
)
_FIRST_SURNAME = Field(
    "first_surname",
    _TEXT,
    "primer apellido, apellido paterno, paterno, apellido, apellidos, apellido 1, 1er apellido",
    "first surname, last name, surname, family name, last, lastname, first last name",
)
_SECOND_SURNAME = Field(
    "second_surname",
    _TEXT,
    "segundo apellido, apellido materno, materno, apellido 2, 2do apellido",
    "second surname, second last name, maternal surname, mothers maiden name",
)
_ACTIVE = Field(
    "active",
    Kind.YES_OR_NO,
    "activo, activa, vigente",
    "active, enabled",
    last="estado, estatus, status, situacion, state",
)
_CURRENCY = Field("currency", _TEXT, "moneda, divisa, mon", "currency, currency code, crcy")

# The nouns whose rows can be imported.
IMPORTABLE = tuple(noun for noun in Noun if noun is not Noun.HANDED_OUT)

# The product of a row, by its code or its name.
_PRODUCT = (
    Field(
        "product_code",
        _CODE,
        "codigo, clave, codigo de producto, codigo de articulo, codigo del insumo, clave de producto, sku, "
        "clave del insumo, clave del articulo, id producto, id articulo, numero de material, codigo de "
        "material",
        "code, item code, product code, charge code, supply #, supply number, supply code, item number, item "
        "no, sku, product id, item id, material number",
    ),
    Field(
        "product_name",
        _TEXT,
        "producto, articulo, insumo, material, descripcion, nombre del producto, descripcion del producto, "
        "descripcion del articulo, concepto, texto breve, texto breve de material, descripcion del material",
        "product, item, supply, description, product name, item name, item description, product description, "
        "supply description, material description, short text, kurztext, materialkurztext",
    ),
)

FIELD_SETS: dict[Noun, FieldSet] = {
    Noun.PRODUCTS: FieldSet(
        fields=(
            Field(
                "code",
                _CODE,
                "codigo, clave, codigo de producto, codigo de articulo, codigo del insumo, codigo de material, codigo "
                "interno, clave de producto, clave del articulo, clave del insumo, sku, referencia, ref, numero de "
                "articulo, numero de producto, id producto, id articulo, id insumo, material numero, numero "
                "de material",
                "code, item code, product code, charge code, supply #, supply number, supply code, item number, item "
                "no, product number, product id, item id, sku, catalog number, part number, material number, charge "
                "number, charge master number, cdm, cdm number, reference",
                last="procedure id, procedure number, procedure, service id, charge id, cc, code 1",
            ),
            Field(
                "name",
                _TEXT,
                "nombre, descripcion, producto, articulo, insumo, material, denominacion, concepto, nombre del "
                "producto, descripcion del producto, descripcion del articulo, nombre del articulo, texto breve, texto "
                "breve de material, texto de material, descripcion del material, nombre del material, denominacion "
                "del material",
                "name, description, item, product, item description, product description, item name, product name, "
                "supply, supply name, supply description, charge description, charge code description, procedure "
                "description, long description, procedure name, service description, technical description, material "
                "description, material short text, short text, kurztext, materialkurztext",
                last="service, medication, servicio, medicamento",
            ),
            Field(
                "price",
                Kind.MONEY,
                "precio, precio unitario, precio de venta, precio unit, p unit, p unitario, p u, p venta, importe, "
                "venta, precio de compra, p compra, compra, "
                "tarifa, valor, valor unitario, costo, costo "
                "unitario, pvp, monto",
                "price, unit price, charge, unit charge, charge amount, gross charge, standard charge, standard charge "
                "gross, cost, unit cost, amount, rate, list price, sale price, selling price, purchase price",
                last="std chg, std charge, std amount, charges, fee, rate amt, price amt, chg amt",
            ),
            Field(
                "category",
                _TEXT,
                "categoria, nombre de la categoria, grupo, familia, rubro, clase, linea, clasificacion",
                "category, category name, group, family, class, product category, product group",
            ),
            Field(
                "category_code",
                _CODE,
                "codigo de categoria, clave de categoria, codigo de grupo, codigo de familia",
                "category code, group code, family code, class code",
            ),
            Field(
                "gtin", _CODE, "gtin, codigo de barras, ean, ean 13, upc", "gtin, barcode, bar code, ean, upc, gtin 14"
            ),
            Field(
                "unit",
                _TEXT,
                "unidad, unidad de medida, um, umb, u m, presentacion, udm",
                "unit, uom, unit of measure, units of measure, pack",
            ),
            Field(
                "also_called",
                _TEXT,
                "tambien se llama, otros nombres, sinonimos",
                "also called, other names, synonyms",
            ),
            Field(
                "decimals",
                _NUMBER,
                "decimales, decimales de la cantidad, precision",
                "decimals, decimals of quantities, precision",
            ),
            Field("asks_lot", Kind.YES_OR_NO, "pedir el lote, pide lote", "ask for the lot, asks lot"),
            Field(
                "asks_serial",
                Kind.YES_OR_NO,
                "pedir el numero de serie, pide numero de serie, pide serie",
                "ask for the serial number, asks serial number, asks serial",
            ),
            Field(
                "implant",
                Kind.YES_OR_NO,
                "implante, es implante, implantable, dispositivo implantable",
                "implant, is implant, implantable, implantable device",
            ),
            Field(
                "included_in_stay",
                Kind.YES_OR_NO,
                "incluido en la estancia, incluida en la estancia, incluido en el dia cama, no se cobra aparte",
                "included in the stay, included in stay, not charged separately",
            ),
            Field(
                "plain_name",
                _TEXT,
                "nombre sencillo, nombre para la familia",
                "plain name, name for the family",
            ),
            _ACTIVE,
            _CURRENCY,
        ),
        needs=(("code", "gtin", "name"), ("name",), ("price",)),
    ),
    Noun.PATIENTS: FieldSet(
        fields=(
            _RECORD,
            Field("name", _TEXT, "nombre, nombres, primer nombre", "name, first name, given name, first, forename"),
            _FIRST_SURNAME,
            _SECOND_SURNAME,
            _FULL_NAME,
            _BIRTH_DATE,
            _ACTIVE,
        ),
        needs=(("name", "full_name"), ("first_surname", "full_name")),
    ),
    Noun.STAFF: FieldSet(
        fields=(
            Field("name", _TEXT, "nombre, nombres, primer nombre", "name, first name, given name, first, forename"),
            _FIRST_SURNAME,
            _SECOND_SURNAME,
            Field(
                "full_name",
                _TEXT,
                "nombre completo, personal, empleado, apellidos y nombres, apellidos y nombre, nombre y apellidos, "
                "nombres y apellidos",
                "full name, employee, staff, staff member, employee name",
            ),
            Field(
                "telephone_number",
                _TEXT,
                "telefono, numero de telefono, celular, movil",
                "telephone number, telephone, phone, phone number, mobile, cell phone",
            ),
            Field(
                "job_title",
                _TEXT,
                "puesto, cargo, ocupacion, profesion, especialidad, funcion",
                "job title, title, position, job, occupation, speciality, specialty, role",
            ),
            _BIRTH_DATE,
        ),
        needs=(("name", "full_name"), ("first_surname", "full_name")),
    ),
    Noun.AREAS: FieldSet(
        fields=(
            Field(
                "name",
                _TEXT,
                "area, nombre, nombre del area, servicio, departamento, unidad, sector, pabellon",
                "area, name, area name, ward, department, service, unit",
            ),
            Field(
                "code",
                _CODE,
                "codigo, clave, codigo de area, codigo de servicio, clave de area",
                "code, area code, ward code, department code, service code",
            ),
        ),
        needs=(("name",),),
    ),
    Noun.ROOMS: FieldSet(
        fields=(
            Field(
                "name",
                _TEXT,
                "habitacion, cuarto, sala, cama, nombre, numero de habitacion, numero de cuarto, nombre de la "
                "habitacion",
                "room, room number, room name, bed, name",
            ),
            Field(
                "area",
                _TEXT,
                "area, servicio, departamento, unidad, sector, pabellon, nombre del area",
                "area, ward, department, unit, service, area name",
            ),
            Field("status", Kind.ROOM_STATUS, "estado, estatus, situacion", "status, state"),
            Field("type", Kind.ROOM_TYPE, "tipo, tipo de habitacion", "type, room type"),
            Field(
                "code",
                _CODE,
                "codigo, clave, codigo de habitacion, codigo de cama, codigo de cuarto, codigo de sala, clave de "
                "habitacion, clave de cama",
                "code, room code, bed code",
            ),
        ),
        needs=(("name",), ("area",)),
    ),
    Noun.USERS: FieldSet(
        fields=(
            Field(
                "email",
                _TEXT,
                "correo, correo electronico, email, e mail, mail, direccion de correo, cuenta de correo",
                "email, e mail, email address, mail",
                last="usuario, cuenta, user, login, account",
            ),
            Field(
                "role",
                Kind.ROLE,
                "rol, perfil, tipo de usuario, permisos, nivel, nivel de acceso",
                "role, user role, profile, permissions, access level, user type",
            ),
            Field("name", _TEXT, "nombre, nombres, primer nombre", "name, first name, given name, first, forename"),
            _FIRST_SURNAME,
            _SECOND_SURNAME,
            Field(
                "full_name",
                _TEXT,
                "nombre completo, personal, empleado, apellidos y nombres, apellidos y nombre, nombre y apellidos, "
                "nombres y apellidos",
                "full name, employee, staff, staff member, employee name",
            ),
            Field(
                "job_title",
                _TEXT,
                "puesto, cargo, ocupacion, profesion, especialidad, funcion",
                "job title, title, position, job, occupation, speciality, specialty",
            ),
            Field(
                "area",
                _TEXT,
                "area, servicio, departamento, unidad, sector, pabellon, nombre del area, lugar de trabajo",
                "area, ward, department, unit, service, area name",
            ),
        ),
        needs=(("email",), ("role",)),
    ),
    Noun.CONSUMPTION: FieldSet(
        fields=(
            _RECORD,
            _FULL_NAME,
            Field(
                "patient_name",
                _TEXT,
                "nombre, nombres, nombres del paciente",
                "first name, given name, patient first name",
            ),
            Field(
                "patient_first_surname",
                _TEXT,
                "primer apellido, apellido paterno, apellido, apellidos, apellido del paciente",
                "first surname, last name, surname, patient last name",
            ),
            Field(
                "patient_second_surname",
                _TEXT,
                "segundo apellido, apellido materno",
                "second surname, second last name",
            ),
            _BIRTH_DATE,
            Field(
                "room",
                _TEXT,
                "habitacion, cuarto, sala, cama, numero de habitacion, numero de cuarto",
                "room, room number, room name, bed",
            ),
            Field(
                "area",
                _TEXT,
                "area, servicio, departamento, unidad, sector, pabellon, nombre del area",
                "area, ward, department, service, area name",
            ),
            Field(
                "admission_date",
                _DAY,
                "fecha de ingreso, ingreso, fecha de admision, admision, fecha de internacion, fecha de "
                "hospitalizacion",
                "admission date, admission, admitted, admit date, date of admission, date admitted",
            ),
            Field(
                "discharge_date",
                Kind.MOMENT,
                "fecha de alta, alta, fecha de egreso, egreso, fecha de salida, cierre, fecha de cierre",
                "discharge date, discharge, discharged, date of discharge, closing date, closed",
            ),
            Field("diagnosis", _TEXT, "diagnostico, dx, diagnostico de ingreso", "diagnosis, admission diagnosis"),
            Field(
                "doctor",
                _TEXT,
                "medico, doctor, medico tratante, doctora",
                "doctor, physician, attending, attending physician",
            ),
            *_PRODUCT,
            Field(
                "quantity",
                _NUMBER,
                "cantidad, unidades, piezas, consumo, cantidad consumida",
                "quantity, units, amount used, count",
            ),
            Field(
                "created_at",
                Kind.MOMENT,
                "fecha, dia, fecha de consumo, fecha de registro, fecha de aplicacion, fecha y hora, fecha de uso",
                "date, day, date used, consumption date, service date, date of service, recorded, recorded at, date "
                "time",
            ),
            Field(
                "price",
                Kind.MONEY,
                "precio, precio unitario, precio unit, p unit, p unitario, p u, costo unitario, valor unitario, tarifa",
                "price, unit price, unit charge, unit cost, charge",
            ),
            Field(
                "staff",
                _TEXT,
                "personal, enfermera, enfermero, responsable, registrado por, aplicado por, empleado, nombre del "
                "personal",
                "staff, staff member, nurse, employee, recorded by, given by, staff name",
            ),
            Field(
                "admission_number",
                _CODE,
                "numero de ingreso, numero de cuenta, cuenta, episodio, numero de episodio, numero de admision, folio",
                "admission number, account number, account, encounter, encounter id, encounter number, visit number, "
                "episode",
            ),
            _CURRENCY,
        ),
        needs=(
            ("record_number", "full_name", "patient_first_surname"),
            ("admission_date",),
            ("product_code", "product_name"),
            ("quantity",),
        ),
    ),
    Noun.HANDED_OUT: FieldSet(
        fields=(
            Field(
                "area",
                _TEXT,
                "area, servicio, departamento, unidad, sector, pabellon, nombre del area, centro de costo, "
                "destino, area solicitante",
                "area, ward, department, service, area name, cost center, destination",
            ),
            *_PRODUCT,
            Field(
                "quantity",
                _NUMBER,
                "cantidad, unidades, piezas, cantidad entregada, cantidad surtida, cantidad despachada, entregado, "
                "surtido, salida, salidas",
                "quantity, units, count, quantity issued, quantity handed out, issued, handed out",
            ),
            Field(
                "handed_out_on",
                _DAY,
                "fecha, dia, fecha de entrega, fecha de salida, fecha de surtido, fecha de despacho",
                "date, day, date issued, issue date, date handed out",
            ),
        ),
        needs=(("product_code", "product_name"), ("quantity",)),
    ),
}
